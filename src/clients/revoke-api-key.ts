import { apiKeys } from '../auth/queries.ts';
import { revokeKey } from '../auth/revoke-key.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { notFound } from '../problem.ts';
import { findOrThrow, lockOrThrow } from '../resource/rows.ts';
import { toApiKey } from './api-key.ts';
import { clients } from './queries.ts';

export async function revokeApiKey(
  { path, headers }: Input<'revokeApiKey'>,
  context: OperationContext,
): Promise<Result<'revokeApiKey'>> {
  const { db, auth } = context;
  const client = await findOrThrow(db, clients, path.id);
  const key = await lockOrThrow(db, apiKeys, { path: { id: path.key_id }, headers });
  if (key.client_id !== client.id) throw notFound(`The key ${path.key_id} of this client`);
  const row = await revokeKey(context, key);
  db.afterCommit(auth.forget);
  return ok(toApiKey(row));
}
