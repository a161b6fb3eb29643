import type { Resource } from '../../db/resource.ts';
import type { BaseRow } from '../../db/tables.ts';
import { created } from '../../http/responses.ts';
import type { Input, OperationContext, Result } from '../../operation.ts';
import { lockOrThrow } from '../rows.ts';
import { addNote } from './add-note.ts';
import { toNote } from './note.ts';
import type { Owner } from './owner.ts';

/** Adds a note to a lead or a contact. */
export function createNote<Row extends BaseRow>(owner: Resource<Row, Owner['prefix']>) {
  return async (
    { path, body }: Input<'createLeadNote'>,
    context: OperationContext,
  ): Promise<Result<'createLeadNote'>> => {
    // The lock keeps the lead or contact from being deleted before its note is committed.
    const { id } = await lockOrThrow(context.db, owner, { path, headers: {} }, 'key share');
    const note = toNote(await addNote(owner, id, body, context));
    return created(`${context.baseUrl}/${owner.table}/${path.id}/notes`, note);
  };
}
