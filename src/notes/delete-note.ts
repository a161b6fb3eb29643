import { deleteRows } from '../db/resource.ts';
import { noContent } from '../http/responses.ts';
import type { Input, OperationContext } from '../operation.ts';
import { toId } from '../values/id.ts';
import { lockNote, type Owner } from './owner.ts';
import { notes } from './queries.ts';
import { recordNote } from './record-note.ts';

export async function deleteNote(
  owner: Owner,
  input: Input<'deleteLeadNote'> | Input<'deleteContactNote'>,
  { db, ...context }: OperationContext,
) {
  const note = await lockNote(db, owner, input, 'update');
  await deleteRows(db, notes, [note.id]);
  await recordNote({ db, ...context }, note, [
    { type: 'note.deleted', object: { id: toId('note', note.id) } },
  ]);
  return noContent;
}
