import { recordAct } from '../audit-log/record-act.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { distinct } from '../resource/fields.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { mergeMap } from '../values/merge-patch.ts';
import { clientSubject } from './change-client.ts';
import { toClient } from './client.ts';
import { requireOtherAdmin } from './last-admin.ts';
import { clients, lockAdmins } from './queries.ts';

export async function updateClient(
  input: Input<'updateClient'>,
  context: OperationContext,
): Promise<Result<'updateClient'>> {
  const { db, auth } = context;
  const { name, scopes, user_id, limits } = input.body;
  const losesAdmin = scopes !== undefined && !scopes.includes('admin');
  // Before the client itself, so that all transactions lock in the same order.
  const admins = losesAdmin ? await lockAdmins(db) : [];
  const before = await lockOrThrow(db, clients, input);
  requireOtherAdmin(admins, before);
  const userId = await resolveUser(db, 'user_id', user_id, before.user_id);
  const row = await updateOrThrow(context, clients, before, {
    name,
    scopes: distinct(scopes),
    user_id: userId,
    limits: limits && mergeMap(before.limits, limits),
  });
  if (row.version !== before.version) {
    await recordAct(context, 'client.updated', clientSubject(row));
    db.afterCommit(auth.forget);
  }
  return ok(toClient(row));
}
