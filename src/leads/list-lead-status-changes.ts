import { conditionsOf, equals, indexed } from '../db/list/filters.ts';
import { toActor } from '../events/event.ts';
import { nameActors } from '../events/name-actors.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { toNullableId } from '../values/id.ts';
import { leads } from './queries.ts';
import { statusChangeFilters, statusChanges } from './status-change-queries.ts';
import type { ListedStatusChange } from './tables.ts';

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

function toStatusChange(row: ListedStatusChange): Schema<'StatusChange'> {
  return {
    from: row.from_status,
    to: row.to_status,
    at: row.changed_at,
    seconds_in_previous_status: row.seconds,
    actor: toActor(row),
    request_id: row.request_id,
    merged_from: toNullableId('lead', row.merged_from),
  };
}
