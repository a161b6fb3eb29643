import { lockRow, type RowLock } from '../db/resource.ts';
import { checkIfMatch } from '../http/conditional.ts';
import type { OperationContext } from '../operation.ts';
import { lockOwner, ownerOf } from './owner.ts';
import { notes } from './queries.ts';
import { findAllowed } from './scopes.ts';
import type { NoteRow } from './tables.ts';

interface Target {
  path: { id: string };
  headers: { 'if-match'?: string };
}

/**
 * The note, locked until the transaction ends. Throws 403 or 404, or 412 if If-Match names another version. Like a deletion,
 * locks the lead or contact first: a trigger notes on a lead when its notes change.
 */
export async function lockNote(
  context: OperationContext,
  { path, headers }: Target,
  rowLock: RowLock,
): Promise<NoteRow> {
  const { db } = context;
  for (;;) {
    const { id, ...found } = await findAllowed(context, path.id, 'write');
    const owner = ownerOf({ id, ...found });
    // If the owner was deleted meanwhile, so was the note; if it was merged, the note has another owner now.
    const note = (await lockOwner(db, owner, owner.id)) ? await lockRow(db, notes, id, rowLock) : undefined;
    if (note === undefined) continue;
    checkIfMatch(headers['if-match'], note.version);
    return note;
  }
}
