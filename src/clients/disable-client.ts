import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { disable } from './change-client.ts';
import { describeEffects, toClient } from './client.ts';
import { requireOtherAdmin } from './last-admin.ts';
import { clients, findBelongings, lockAdmins } from './queries.ts';

export async function disableClient(
  input: Input<'disableClient'>,
  context: OperationContext,
): Promise<Result<'disableClient'>> {
  const { db, auth } = context;
  // Before the client itself, so that all transactions lock in the same order.
  const admins = await lockAdmins(db);
  const client = await lockOrThrow(db, clients, input);
  requireOtherAdmin(admins, client);
  const row = await disable(context, client);
  db.afterCommit(auth.forget);
  return ok({ ...toClient(row), ...describeEffects(await findBelongings(db, row.id)) });
}
