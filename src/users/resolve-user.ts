import type { Db } from '../db/db.ts';
import { toNullableId, toUuid } from '../db/id.ts';
import { lockRow } from '../db/resource.ts';
import { invalidField } from '../http/errors/problem.ts';
import { users } from './queries.ts';

/**
 * Resolves a public user id from the request field `field` into a UUID. Undefined (unchanged) and null (cleared) pass
 * through. Throws 422 for an unknown or inactive user, except for the one already assigned (`current`), who may have been
 * deactivated since.
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

/** Whether the user exists and is active. Locks the user, so that this holds until the transaction ends. */
export async function lockActiveUser(db: Db, uuid: string): Promise<boolean> {
  const user = await lockRow(db, users, uuid, 'share');
  return user?.active ?? false;
}
