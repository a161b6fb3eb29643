import type { Resource } from '../../db/resource.ts';
import { deleteRows } from '../../db/resource.ts';
import type { BaseRow } from '../../db/tables.ts';
import { noContent } from '../../http/responses.ts';
import type { Input, OperationContext, Result } from '../../operation.ts';
import { toId } from '../../values/id.ts';
import { lockNote, type Owner } from './owner.ts';
import { notes } from './queries.ts';
import { recordNote } from './record-note.ts';

export function deleteNote<Row extends BaseRow>(owner: Resource<Row, Owner['prefix']>) {
  return async (
    input: Input<'deleteLeadNote'>,
    context: OperationContext,
  ): Promise<Result<'deleteLeadNote'>> => {
    const note = await lockNote(context.db, owner, input, 'update');
    await deleteRows(context.db, notes, [note.id]);
    await recordNote(context, note, [{ type: 'note.deleted', object: { id: toId('note', note.id) } }]);
    return noContent;
  };
}
