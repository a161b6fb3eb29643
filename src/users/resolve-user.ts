import { toNullableId, toUuid } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import { lockRow } from '../db/resource.ts';
import { invalidField } from '../http/problem.ts';
import { users } from './queries.ts';

/**
 * The uuid of the user that a client named in this field: undefined where it says nothing, null where it clears.
 * Throws 422 for one who is unknown or inactive; who was made inactive since may stay (`current`), but nobody inactive
 * comes in.
 */
export async function resolveUser(
  db: Db,
  field: string,
  id: string | null | undefined,
  current: string | null = null,
): Promise<string | null | undefined> {
  if (id === undefined || id === null) return id;
  if (id === toNullableId('user', current)) return current;
  const uuid = toUuid('user', id);
  if (uuid === undefined || !(await lockActiveUser(db, uuid))) {
    throw invalidField(field, 'must be the id of an active user');
  }
  return uuid;
}

/** Whether the user exists and is active; nobody changes that until the transaction ends. */
export async function lockActiveUser(db: Db, uuid: string): Promise<boolean> {
  const user = await lockRow(db, users, uuid, 'share');
  return user?.active ?? false;
}
