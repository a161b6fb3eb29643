import type { Db } from '../db/db.ts';
import { invalidField } from '../problem.ts';
import { toNullableId, toUuid } from '../values/id.ts';
import { lockActive } from './queries.ts';

/** Users (UUIDs) who may be assigned: active ones, locked, so that they stay active until the transaction ends. */
export type ActiveUsers = ReadonlySet<string>;

/** Locks the active ones of these users, and adds `others`. Ignores public ids that are not user ids. */
export async function lockActiveUsers(
  db: Db,
  ids: Iterable<string | null | undefined>,
  others: ActiveUsers = new Set(),
): Promise<ActiveUsers> {
  const uuids = [...new Set(ids)].flatMap((id) => (id ? (toUuid('user', id) ?? []) : []));
  return new Set([...others, ...(await lockActive(db, uuids))]);
}

/**
 * The UUID of a user from the request field `field`. Undefined (unchanged) and null (cleared) pass through. Throws 422
 * unless the user is active or already assigned (`current`).
 */
export function activeUser(
  active: ActiveUsers,
  field: string,
  id: string | null | undefined,
  current: string | null = null,
): string | null | undefined {
  if (id === undefined || id === null) return id;
  if (id === toNullableId('user', current)) return current;
  const uuid = toUuid('user', id);
  if (uuid === undefined || !active.has(uuid)) {
    throw invalidField(field, 'must be the id of an active user');
  }
  return uuid;
}

/** The same for one field. Also locks the user. */
export async function resolveUser(
  db: Db,
  field: string,
  id: string | null | undefined,
  current: string | null = null,
): Promise<string | null | undefined> {
  const isCurrent = id === toNullableId('user', current);
  return activeUser(await lockActiveUsers(db, isCurrent ? [] : [id]), field, id, current);
}

/** Whether the user exists and is active. Locks the user, so that this holds until the transaction ends. */
export async function lockActiveUser(db: Db, uuid: string): Promise<boolean> {
  const active = await lockActive(db, [uuid]);
  return active.has(uuid);
}
