import { apiKeys } from '../auth/queries.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { notFound } from '../problem.ts';
import { findOrThrow } from '../resource/rows.ts';
import { toApiKey } from './api-key.ts';
import { clients } from './queries.ts';

export async function getApiKey(
  { path }: Input<'getApiKey'>,
  { db }: OperationContext,
): Promise<Result<'getApiKey'>> {
  const client = await findOrThrow(db, clients, path.id);
  const key = await findOrThrow(db, apiKeys, path.key_id);
  if (key.client_id !== client.id) throw notFound(`The key ${path.key_id} of this client`);
  return ok(toApiKey(key));
}
