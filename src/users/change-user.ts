import type { UserRow } from '../db/tables.ts';
import { recordChange } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { users } from './queries.ts';
import { toUser } from './user.ts';

/** Applies a JSON Merge Patch (RFC 7396). A deactivated user keeps existing assignments but gets no new ones. */
export async function changeUser(
  before: UserRow,
  patch: Schema<'UpdateUser'>,
  context: OperationContext,
): Promise<UserRow> {
  const after = await change(context.db, users, before, patch, context.principal);
  await recordChange(context, 'user', toUser, before, after);
  return after;
}
