import { newUuid } from '../db/id.ts';
import type { UserRow } from '../db/tables.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { insertUnique } from '../http/resource.ts';
import { users } from './queries.ts';

/** Adds a user. Throws 422 for a duplicate email. */
export async function addUser(
  { name, email, active = true }: Schema<'CreateUser'>,
  { db, principal }: OperationContext,
): Promise<UserRow> {
  return insertUnique(db, users, { id: newUuid(), name, email, active }, principal);
}
