import { createHash } from 'node:crypto';
import { actorColumns } from '../../actor.ts';
import { prepareInsertMany, prepareMatching, prepareUpdateMany, runAll } from '../../db/many-rows.ts';
import type { RowValues } from '../../db/row-statements.ts';
import { kindColumns, occurredColumn } from '../../notes/kind.ts';
import { toNote } from '../../notes/note.ts';
import { notes } from '../../notes/queries.ts';
import type { NoteRow } from '../../notes/tables.ts';
import type { OperationContext, Schema } from '../../operation.ts';
import { Problem } from '../../problem.ts';
import { checkPast } from '../../resource/past.ts';
import { duplicate } from '../../resource/rows.ts';
import type { Rules, Writer } from '../../resource/rules.ts';
import { type Outcome, type Plan, type Write, writeMany } from '../../resource/write-many.ts';
import { newUuid } from '../../values/id.ts';
import { lockOwners, type NoteOwner, type OwnerFields } from './note-owners.ts';

/** A row of notes, validated. */
export type NoteFields = Pick<Schema<'CreateNote'>, 'text'> &
  Partial<Schema<'CreateNote'>> &
  OwnerFields & { created_at?: string };

interface NoteTypes {
  kind: 'note';
  row: NoteRow;
  new: object;
  patch: object;
  references: undefined;
}

const matching = prepareMatching(notes);
const insertMany = prepareInsertMany(notes);
const updateMany = prepareUpdateMany(notes);

/** Notes are planned below, since they are found by more than their own fields. */
const noteRules: Rules<NoteTypes> = {
  kind: 'note',
  resource: notes,
  toObject: toNote,
  checkNew: (_checkBody, fields) => fields,
  lockReferences: async () => undefined,
  toRow: () => ({ id: newUuid() }),
  patch: () => ({}),
  merge: () => ({}),
  findRows: (db, wanted, lock) => db.run(matching(wanted, lock)),
  insertRows(rows, { db, actor }) {
    const authored = rows.map((row) => ({ ...row, ...actorColumns(actor) }));
    return runAll(db, insertMany(authored));
  },
  updateRows: (changes, { db }) => runAll(db, updateMany(changes)),
  about: ({ lead_id, contact_id }) => lead_id ?? contact_id ?? undefined,
};

type OnDuplicate = Schema<'ImportOnDuplicate'>;

/**
 * Writes notes with the id of another system, or else one that is made from the note, so that a repeated import finds it.
 * Such a note can't be a duplicate by mistake: it is unchanged.
 */
export async function writeNotes(
  items: readonly (NoteFields | Problem)[],
  onDuplicate: OnDuplicate,
  context: Writer & Pick<OperationContext, 'checkBody'>,
): Promise<Outcome<NoteRow>[]> {
  const rows = items.flatMap((item) => (item instanceof Problem ? [] : [item]));
  const ownerOf = await lockOwners(context.db, rows);
  const now = new Date().toISOString();
  const writes = items.map((item): Write<NoteTypes> | Problem => {
    if (item instanceof Problem) return item;
    try {
      const owner = ownerOf(item);
      checkPast('note', { created_at: item.created_at }, { created_at: 'written' }, now);
      const external_id = item.external_id ?? idOf(owner, item);
      return {
        fields: { external_id },
        plan(known) {
          const before = known.find('external_id', external_id);
          if (before === undefined) return { insert: newNote(item, owner, external_id) };
          return item.external_id == null ? { before, changes: {} } : changeNote(before, item, onDuplicate);
        },
      };
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  });
  return writeMany(noteRules, writes, true, context);
}

function newNote(
  { text, pinned = false, author_name = null, created_at, occurred_at = created_at, ...about }: NoteFields,
  { lead_id, contact_id }: NoteOwner,
  external_id: string,
): RowValues<NoteRow> & { id: string } {
  const id = newUuid();
  const kind = kindColumns({ ...about, occurred_at });
  const note = { id, lead_id, contact_id, text, pinned, external_id, author_name, ...kind };
  return created_at === undefined ? note : { ...note, created_at };
}

function changeNote(
  before: NoteRow,
  { text, pinned, author_name, kind, direction, duration_seconds, ...fields }: NoteFields,
  onDuplicate: OnDuplicate,
): Plan<NoteRow> {
  switch (onDuplicate) {
    case 'update':
      return {
        before,
        changes: { text, pinned, author_name, kind, direction, duration_seconds, ...occurredColumn(fields) },
      };
    case 'merge':
      return { before, changes: { author_name: before.author_name ?? author_name } };
    case 'ignore':
      return { before, changes: {} };
    case 'reject':
      throw duplicate(notes, { column: 'external_id', id: before.id });
    default:
      return onDuplicate satisfies never;
  }
}

/** The same for the same note about the same lead or contact. */
function idOf({ lead_id, contact_id }: NoteOwner, fields: NoteFields): string {
  const { text, kind = 'note', occurred_at = '', created_at = '' } = fields;
  const note = JSON.stringify([lead_id ?? contact_id, created_at, text, kind, occurred_at]);
  return `import:${createHash('sha256').update(note).digest('hex').slice(0, 32)}`;
}
