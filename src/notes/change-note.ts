import { updatedEvents } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { updateOrThrow } from '../resource/rows.ts';
import { toNote } from './note.ts';
import { notes } from './queries.ts';
import { recordNote } from './record-note.ts';
import type { NoteRow } from './tables.ts';

/** Changes a locked note. */
export async function changeNote(
  before: NoteRow,
  changes: Schema<'UpdateNote'>,
  context: OperationContext,
): Promise<NoteRow> {
  const after = await updateOrThrow(context, notes, before, changes);
  await recordNote(context, after, updatedEvents('note', toNote(before), toNote(after)));
  return after;
}
