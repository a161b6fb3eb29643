import { updatedEvents } from '../events/record-change.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext } from '../operation.ts';
import { update } from '../resource/rows.ts';
import { toNote } from './note.ts';
import { lockNote, type Owner } from './owner.ts';
import { notes } from './queries.ts';
import { recordNote } from './record-note.ts';

export async function updateNote(
  owner: Owner,
  input: Input<'updateLeadNote'> | Input<'updateContactNote'>,
  context: OperationContext,
) {
  const before = await lockNote(context.db, owner, input, 'no key update');
  const after = await update(context, notes, before, input.body);
  const note = toNote(after);
  await recordNote(context, after, updatedEvents('note', toNote(before), note));
  return ok(note);
}
