import { conditionsOf, equals, indexed } from '../db/list/filters.ts';
import { nameActors } from '../events/name-actors.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { leads } from './queries.ts';
import { toStatusChange } from './status-change.ts';
import { statusChangeFilters, statusChanges } from './status-change-queries.ts';

export async function listLeadStatusChanges(
  { path, query }: Input<'listLeadStatusChanges'>,
  context: OperationContext,
): Promise<Result<'listLeadStatusChanges'>> {
  const { id } = await findOrThrow(context.db, leads, path.id);
  const { body, ...answer } = await list(context, statusChanges, {
    query,
    conditions: [indexed(equals('lead_id'))(id), ...conditionsOf(statusChangeFilters, query)],
    toData: toStatusChange,
  });
  return { ...answer, body: { ...body, data: await nameActors(context.db, body.data) } };
}
