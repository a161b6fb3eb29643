import type { Resource } from '../../db/resource.ts';
import type { BaseRow } from '../../db/tables.ts';
import { ok } from '../../http/responses.ts';
import type { Input, OperationContext, Result } from '../../operation.ts';
import { changeNote } from './change-note.ts';
import { toNote } from './note.ts';
import { lockNote, type Owner } from './owner.ts';

export function updateNote<Row extends BaseRow>(owner: Resource<Row, Owner['prefix']>) {
  return async (
    input: Input<'updateLeadNote'>,
    context: OperationContext,
  ): Promise<Result<'updateLeadNote'>> => {
    const before = await lockNote(context.db, owner, input, 'no key update');
    return ok(toNote(await changeNote(before, input.body, context)));
  };
}
