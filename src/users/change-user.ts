import type { UserRow } from '../db/tables.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { users } from './queries.ts';

/** Applies a merge patch. Who is made inactive keeps what is assigned, and gets nothing more. */
export async function changeUser(
  before: UserRow,
  patch: Schema<'UpdateUser'>,
  { db, principal }: OperationContext,
): Promise<UserRow> {
  return change(db, users, before, patch, principal);
}
