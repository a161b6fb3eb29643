import { conditionsOf, equals, indexed } from '../../db/list/filters.ts';
import type { Resource } from '../../db/resource.ts';
import type { BaseRow } from '../../db/tables.ts';
import { list } from '../../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../../operation.ts';
import { findOrThrow } from '../rows.ts';
import { toNote } from './note.ts';
import { type Owner, ownerColumn } from './owner.ts';
import { listedNotes, noteFilters } from './queries.ts';

export function listNotes<Row extends BaseRow>(owner: Resource<Row, Owner['prefix']>) {
  return async (
    { path, query }: Input<'listLeadNotes'>,
    context: OperationContext,
  ): Promise<Result<'listLeadNotes'>> => {
    const { id } = await findOrThrow(context.db, owner, path.id);
    return list(context, listedNotes, {
      query,
      conditions: [indexed(equals(ownerColumn(owner)))(id), ...conditionsOf(noteFilters, query)],
      toData: toNote,
    });
  };
}
