import { contacts } from '../contacts/queries.ts';
import type { Db } from '../db/db.ts';
import { findRow, lockRow } from '../db/resource.ts';
import { leads } from '../leads/queries.ts';
import { merged } from '../merges/merged.ts';
import { findMerge } from '../merges/queries.ts';
import { toUuid } from '../values/id.ts';
import { notes } from './queries.ts';
import type { NoteRow } from './tables.ts';

/** What notes are about: leads or contacts. */
export interface Owner {
  prefix: 'lead' | 'contact';
}

export function ownerColumn({ prefix }: Owner) {
  return `${prefix}_id` as const;
}

export const owners = [{ prefix: 'lead' }, { prefix: 'contact' }] as const satisfies readonly Owner[];

/** What the note is about, and its UUID. */
export function ownerOf({ lead_id, contact_id }: NoteRow): Owner & { id: string } {
  return lead_id === null ? { prefix: 'contact', id: contact_id as string } : { prefix: 'lead', id: lead_id };
}

/** Whether the lead or contact (UUID) exists. The lock keeps it from being deleted before its note is committed. */
export async function lockOwner(db: Db, { prefix }: Owner, id: string): Promise<boolean> {
  const row =
    prefix === 'lead'
      ? await lockRow(db, leads, id, 'key share')
      : await lockRow(db, contacts, id, 'key share');
  return row !== undefined;
}

/** Throws 410 if the lead or contact with this public id was merged into another one. */
export async function rejectMerged(db: Db, { prefix }: Owner, id: string): Promise<void> {
  const uuid = toUuid(prefix, id);
  const merge = uuid === undefined ? undefined : await findMerge(db, uuid);
  if (merge !== undefined) throw merged(prefix, id, merge);
}

/** The note with this public id. */
export async function findNote(db: Db, id: string): Promise<NoteRow | undefined> {
  const uuid = toUuid('note', id);
  return uuid === undefined ? undefined : findRow(db, notes, uuid);
}
