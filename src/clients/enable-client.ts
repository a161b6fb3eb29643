import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { enable } from './change-client.ts';
import { toClient } from './client.ts';
import { clients } from './queries.ts';

export async function enableClient(
  input: Input<'enableClient'>,
  context: OperationContext,
): Promise<Result<'enableClient'>> {
  const { db, auth } = context;
  const row = await enable(context, await lockOrThrow(db, clients, input));
  db.afterCommit(auth.forget);
  return ok(toClient(row));
}
