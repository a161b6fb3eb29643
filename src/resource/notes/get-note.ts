import { ok } from '../../http/responses.ts';
import type { Input, OperationContext, Result } from '../../operation.ts';
import { toNote } from './note.ts';
import { findNote, type Owner } from './owner.ts';

export function getNote(owner: Owner) {
  return async ({ path }: Input<'getLeadNote'>, { db }: OperationContext): Promise<Result<'getLeadNote'>> =>
    ok(toNote(await findNote(db, owner, path)));
}
