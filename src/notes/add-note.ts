import { actorColumns } from '../actor.ts';
import { createdEvent } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { insertOrThrow } from '../resource/rows.ts';
import { newUuid } from '../values/id.ts';
import { kindColumns } from './kind.ts';
import { toNote } from './note.ts';
import { type Owner, ownerColumn } from './owner.ts';
import { notes } from './queries.ts';
import { recordNote } from './record-note.ts';
import type { NoteRow } from './tables.ts';

type NewNote = Partial<Omit<Schema<'CreateNote'>, 'lead_id' | 'contact_id'>> & { text: string };

/** Adds a note to a locked lead or contact (UUID). */
export async function addNote(
  owner: Owner,
  id: string,
  { text, pinned = false, external_id = null, author_name = null, ...about }: NewNote,
  context: OperationContext,
): Promise<NoteRow> {
  const row = await insertOrThrow(context, notes, {
    id: newUuid(),
    lead_id: null,
    contact_id: null,
    [ownerColumn(owner)]: id,
    text,
    pinned,
    external_id,
    author_name,
    ...kindColumns(about),
    ...actorColumns(context.actor),
  });
  await recordNote(context, row, [createdEvent('note', toNote(row))]);
  return row;
}
