import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { find } from '../resource/rows.ts';
import { toClient } from './client.ts';
import { clients } from './queries.ts';

export async function getClient(
  { path }: Input<'getClient'>,
  { db }: OperationContext,
): Promise<Result<'getClient'>> {
  return ok(toClient(await find(db, clients, path.id)));
}
