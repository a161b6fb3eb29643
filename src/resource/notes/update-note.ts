import { updatedEvents } from '../../events/record-change.ts';
import { ok } from '../../http/responses.ts';
import type { Input, OperationContext, Result } from '../../operation.ts';
import { updateOrThrow } from '../rows.ts';
import { toNote } from './note.ts';
import { lockNote, type Owner } from './owner.ts';
import { notes } from './queries.ts';
import { recordNote } from './record-note.ts';

export function updateNote(owner: Owner) {
  return async (
    input: Input<'updateLeadNote'>,
    context: OperationContext,
  ): Promise<Result<'updateLeadNote'>> => {
    const before = await lockNote(context.db, owner, input, 'no key update');
    const after = await updateOrThrow(context, notes, before, input.body);
    const note = toNote(after);
    await recordNote(context, after, updatedEvents('note', toNote(before), note));
    return ok(note);
  };
}
