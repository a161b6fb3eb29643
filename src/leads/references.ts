import { lockExisting as lockContacts } from '../contacts/queries.ts';
import { lockExisting as lockContent } from '../content/queries.ts';
import type { Db } from '../db/db.ts';
import { findMerges } from '../merges/queries.ts';
import { invalidField, Problem } from '../problem.ts';
import { type ActiveUsers, activeUser, lockActiveUsers } from '../users/resolve-user.ts';
import { toId, toNullableId, toUuid } from '../values/id.ts';
import type { LeadRow } from './tables.ts';

/** References to other resources. Undefined leaves a reference unchanged, null clears it. */
type References = Partial<Pick<LeadRow, 'assigned_user_id' | 'content_id' | 'contact_id'>>;

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
  const content = await lockContent(db, uuidsOf('content', wanted));
  const contacts = await lockContactsOf(db, wanted);
  return ({ assigned_user_id, content_id, contact_id }, before) => ({
    assigned_user_id: activeUser(active, 'assigned_user_id', assigned_user_id, before?.assigned_user_id),
    content_id: typeof content_id === 'string' ? contentOf(content_id, content) : content_id,
    contact_id: typeof contact_id === 'string' ? contactOf(contact_id, contacts) : contact_id,
  });
}

/** Contacts (UUIDs) that exist, and what the others were merged into. */
interface Contacts {
  existing: ReadonlySet<string>;
  mergedInto: ReadonlyMap<string, string>;
}

/**
 * Locks the contacts. Before the leads: deleting a contact, or merging it into another one, locks it first and then its
 * leads.
 */
export async function lockContactsOf(db: Db, wanted: readonly References[]): Promise<Contacts> {
  const uuids = uuidsOf('contact', wanted);
  const existing = await lockContacts(db, uuids);
  const merges = await findMerges(
    db,
    uuids.filter((id) => !existing.has(id)),
  );
  return { existing, mergedInto: new Map(merges.map(({ id, merged_into }) => [id, merged_into])) };
}

function uuidsOf(kind: 'content' | 'contact', wanted: readonly References[]): string[] {
  const ids = new Set(wanted.map((references) => references[`${kind}_id`]));
  return [...ids].flatMap((id) => (id ? (toUuid(kind, id) ?? []) : []));
}

function contentOf(id: string, found: ReadonlySet<string>): string {
  const uuid = toUuid('content', id);
  if (uuid === undefined || !found.has(uuid))
    throw invalidField('content_id', 'must be the id of existing content');
  return uuid;
}

function contactOf(id: string, { existing, mergedInto }: Contacts): string {
  const uuid = toUuid('contact', id);
  if (uuid !== undefined && existing.has(uuid)) return uuid;
  const survivor = mergedInto.get(uuid ?? '');
  if (survivor === undefined) throw invalidField('contact_id', 'must be the id of an existing contact');
  const merged_into = toId('contact', survivor);
  const { code, message, details } = invalidField('contact_id', `was merged into ${merged_into}`);
  throw new Problem(code, message, { details: { ...details, merged_into } });
}

/** The same for one resource. An assignee that doesn't change (`before`) is not locked. */
function lockReferencesOf(db: Db, wanted: References, before?: Assigned): Promise<ResolveReferences> {
  const isCurrent = wanted.assigned_user_id === toNullableId('user', before?.assigned_user_id ?? null);
  return lockReferences(db, [isCurrent ? { ...wanted, assigned_user_id: undefined } : wanted]);
}

export async function resolveReferences(db: Db, wanted: References, before?: Assigned): Promise<References> {
  const resolve = await lockReferencesOf(db, wanted, before);
  return resolve(wanted, before);
}
