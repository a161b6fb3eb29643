import type { Resource } from '../../db/resource.ts';
import type { BaseRow } from '../../db/tables.ts';
import { createdEvent } from '../../events/record-change.ts';
import { created } from '../../http/responses.ts';
import type { Input, OperationContext, Result } from '../../operation.ts';
import { newUuid } from '../../values/id.ts';
import { insertOrThrow, lockOrThrow } from '../rows.ts';
import { toNote } from './note.ts';
import { type Owner, ownerColumn } from './owner.ts';
import { notes } from './queries.ts';
import { recordNote } from './record-note.ts';

/** Adds a note to a lead or a contact. */
export function createNote<Row extends BaseRow>(owner: Resource<Row, Owner['prefix']>) {
  return async (
    { path, body: { text, pinned } }: Input<'createLeadNote'>,
    context: OperationContext,
  ): Promise<Result<'createLeadNote'>> => {
    // The lock keeps the lead or contact from being deleted before its note is committed.
    const { id } = await lockOrThrow(context.db, owner, { path, headers: {} }, 'key share');
    const row = await insertOrThrow(context, notes, {
      id: newUuid(),
      lead_id: null,
      contact_id: null,
      [ownerColumn(owner)]: id,
      text,
      pinned,
      actor_type: context.actor.type,
      actor_id: context.actor.id,
    });
    const note = toNote(row);
    await recordNote(context, row, [createdEvent('note', note)]);
    return created(`${context.baseUrl}/${owner.table}/${path.id}/notes`, note);
  };
}
