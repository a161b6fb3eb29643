import { deleteRows } from '../db/resource.ts';
import { noContent } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { lockNote } from './lock-note.ts';
import { notes } from './queries.ts';
import { recordNote } from './record-note.ts';

export async function deleteNote(
  input: Input<'deleteNote'>,
  context: OperationContext,
): Promise<Result<'deleteNote'>> {
  const note = await lockNote(context, input, 'update');
  await deleteRows(context.db, notes, [note.id]);
  await recordNote(context, note, [{ type: 'note.deleted', object: { id: toId('note', note.id) } }]);
  return noContent;
}
