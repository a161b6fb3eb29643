import { lockExisting } from '../content/queries.ts';
import type { Db } from '../db/db.ts';
import { invalidField } from '../problem.ts';
import { type ActiveUsers, activeUser, lockActiveUsers } from '../users/resolve-user.ts';
import { toNullableId, toUuid } from '../values/id.ts';
import type { LeadRow } from './tables.ts';

/** References to other resources. Undefined leaves a reference unchanged, null clears it. */
type References = Partial<Pick<LeadRow, 'assigned_user_id' | 'content_id'>>;

type Assigned = Pick<LeadRow, 'assigned_user_id'>;

/**
 * Turns the public ids in a lead or an inbound hook into UUIDs. Throws 422 for an unknown id or a new assignee who is
 * inactive.
 */
export type ResolveReferences = (wanted: References, before?: Assigned) => References;

/** Locks the referenced rows, so that nobody can delete or deactivate them before the transaction ends. */
export async function lockReferences(
  db: Db,
  wanted: readonly References[],
  assignable?: ActiveUsers,
): Promise<ResolveReferences> {
  const active = await lockActiveUsers(
    db,
    wanted.map(({ assigned_user_id }) => assigned_user_id),
    assignable,
  );
  const ids = new Set(wanted.map(({ content_id }) => content_id));
  const uuids = [...ids].flatMap((id) => (id ? (toUuid('content', id) ?? []) : []));
  const found = await lockExisting(db, uuids);
  return ({ assigned_user_id, content_id }, before) => ({
    assigned_user_id: activeUser(active, 'assigned_user_id', assigned_user_id, before?.assigned_user_id),
    content_id: typeof content_id === 'string' ? contentOf(content_id, found) : content_id,
  });
}

function contentOf(id: string, found: ReadonlySet<string>): string {
  const uuid = toUuid('content', id);
  if (uuid === undefined || !found.has(uuid))
    throw invalidField('content_id', 'must be the id of existing content');
  return uuid;
}

/** The same for one resource. An assignee that doesn't change (`before`) is not locked. */
function lockReferencesOf(db: Db, wanted: References, before?: Assigned): Promise<ResolveReferences> {
  const isCurrent = wanted.assigned_user_id === toNullableId('user', before?.assigned_user_id ?? null);
  return lockReferences(db, [isCurrent ? { content_id: wanted.content_id } : wanted]);
}

export async function resolveReferences(db: Db, wanted: References, before?: Assigned): Promise<References> {
  const resolve = await lockReferencesOf(db, wanted, before);
  return resolve(wanted, before);
}
