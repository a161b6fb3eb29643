import { type Condition, condition } from '../db/list/condition.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toNote } from './note.ts';
import { ownerColumn, owners, rejectMerged } from './owner.ts';
import { listedNotes, noteFilters } from './queries.ts';
import { mayRead, requireScope } from './scopes.ts';

type Query = Input<'listNotes'>['query'];

export async function listNotes(
  { query }: { query: Query },
  context: OperationContext,
): Promise<Result<'listNotes'>> {
  for (const owner of owners) {
    const id = query[ownerColumn(owner)];
    if (id === undefined) continue;
    requireScope(context, owner, 'read');
    await rejectMerged(context.db, owner, id);
  }
  return list(context, listedNotes, {
    query,
    conditions: [...readable(query, context), ...conditionsOf(noteFilters, query)],
    toData: toNote,
  });
}

/** Leaves out notes about what the client may not read. */
function readable(query: Query, context: OperationContext): Condition[] {
  if (owners.some((owner) => query[ownerColumn(owner)] !== undefined)) return [];
  const hidden = owners.filter((owner) => !mayRead(context, owner));
  return hidden.map((owner) => condition(`${ownerColumn(owner)} is null`));
}
