import type { Db } from '../../db/db.ts';
import { findRow, lockRow, type Resource, type RowLock } from '../../db/resource.ts';
import type { BaseRow } from '../../db/tables.ts';
import { checkIfMatch } from '../../http/conditional.ts';
import { missing } from '../../merges/merged.ts';
import { notFound } from '../../problem.ts';
import { toUuid } from '../../values/id.ts';
import { notes } from './queries.ts';
import type { NoteRow } from './tables.ts';

/** What notes are about: leads or contacts. */
export interface Owner {
  prefix: 'lead' | 'contact';
}

export function ownerColumn({ prefix }: Owner) {
  return `${prefix}_id` as const;
}

interface NotePath {
  /** Id of the lead or contact. */
  id: string;
  note_id: string;
}

/** The note with this id, if it belongs to this lead or contact. Throws 404, or 410 if that was merged. */
export async function findNote(db: Db, owner: Owner, path: NotePath): Promise<NoteRow> {
  const uuid = toUuid('note', path.note_id);
  return ownNote(db, uuid === undefined ? undefined : await findRow(db, notes, uuid), owner, path);
}

/**
 * The same, locked until the transaction ends. Throws 412 if If-Match names another version. Like a deletion, locks the lead
 * or contact first: a trigger notes on a lead when its notes change.
 */
export async function lockNote<Row extends BaseRow>(
  db: Db,
  owner: Resource<Row, Owner['prefix']>,
  { path, headers }: { path: NotePath; headers: { 'if-match'?: string } },
  rowLock: RowLock,
): Promise<NoteRow> {
  const [ownerId, uuid] = [toUuid(owner.prefix, path.id), toUuid('note', path.note_id)];
  if (ownerId !== undefined) await lockRow(db, owner, ownerId, 'key share');
  const found = uuid === undefined ? undefined : await lockRow(db, notes, uuid, rowLock);
  const note = await ownNote(db, found, owner, path);
  checkIfMatch(headers['if-match'], note.version);
  return note;
}

async function ownNote(
  db: Db,
  note: NoteRow | undefined,
  owner: Owner,
  { id, note_id }: NotePath,
): Promise<NoteRow> {
  const ownerId = note?.[ownerColumn(owner)] ?? undefined;
  if (note === undefined || ownerId === undefined || ownerId !== toUuid(owner.prefix, id)) {
    const problem = await missing(db, owner.prefix, id);
    throw problem.code === 'merged' ? problem : notFound(`The note ${note_id} of this ${owner.prefix}`);
  }
  return note;
}
