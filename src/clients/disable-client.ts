import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { Problem } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { setDisabled } from './change-client.ts';
import { toClient } from './client.ts';
import { clients, lockAdmins } from './queries.ts';

export async function disableClient(
  input: Input<'disableClient'>,
  context: OperationContext,
): Promise<Result<'disableClient'>> {
  const { db, auth } = context;
  // Before the client itself, so that all transactions lock in the same order.
  const [admin, ...otherAdmins] = await lockAdmins(db);
  const client = await lockOrThrow(db, clients, input);
  if (client.id === admin && otherAdmins.length === 0) {
    throw new Problem(
      'last_admin',
      'This is the last enabled client with the scope admin. Create or enable another one first.',
    );
  }
  const row = await setDisabled(context, client, true);
  db.afterCommit(auth.forget);
  return ok(toClient(row));
}
