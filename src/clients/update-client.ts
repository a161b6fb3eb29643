import { recordAct } from '../audit-log/record-act.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { clientSubject } from './change-client.ts';
import { toClient } from './client.ts';
import { clients } from './queries.ts';

export async function updateClient(
  input: Input<'updateClient'>,
  context: OperationContext,
): Promise<Result<'updateClient'>> {
  const { db, auth } = context;
  const { name, user_id } = input.body;
  const before = await lockOrThrow(db, clients, input);
  const userId = await resolveUser(db, 'user_id', user_id, before.user_id);
  const row = await updateOrThrow(context, clients, before, { name, user_id: userId });
  if (row.version !== before.version) {
    await recordAct(context, 'client.updated', clientSubject(row));
    db.afterCommit(auth.forget);
  }
  return ok(toClient(row));
}
