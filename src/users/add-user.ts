import { newUuid } from '../db/id.ts';
import type { UserRow } from '../db/tables.ts';
import { recordCreated } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { insertUnique } from '../http/resource.ts';
import { users } from './queries.ts';
import { toUser } from './user.ts';

/** Adds a user. Throws 422 for a duplicate email. */
export async function addUser(
  { name, email, active = true }: Schema<'CreateUser'>,
  context: OperationContext,
): Promise<UserRow> {
  const row = { id: newUuid(), name, email, active };
  const added = await insertUnique(context.db, users, row, context.principal);
  await recordCreated(context, 'user', added.id, toUser(added));
  return added;
}
