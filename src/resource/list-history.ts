import { conditionsOf } from '../db/list/filters.ts';
import type { Resource } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { toEvent } from '../events/event.ts';
import { nameActors } from '../events/name-actors.ts';
import { eventLog, historyFilters, ofResources } from '../events/queries.ts';
import type { EventRow } from '../events/tables.ts';
import { list } from '../http/lists/pagination.ts';
import { findMergedInto } from '../merges/queries.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from './rows.ts';

/** Lists the events of a resource and of what was merged into it, with the names of those who caused them. */
export function listHistory<Row extends BaseRow>(resource: Resource<Row>) {
  return async (
    { path, query }: Input<'listLeadEvents'>,
    context: OperationContext,
  ): Promise<Result<'listLeadEvents'>> => {
    const { id } = await findOrThrow(context.db, resource, path.id);
    const { body, ...answer } = await list(context, eventLog, {
      query,
      conditions: [
        ofResources([id, ...(await findMergedInto(context.db, [id]))], query.event_types),
        ...conditionsOf(historyFilters, query),
      ],
      toData: (row: EventRow) => toEvent(row, context.environment),
    });
    return { ...answer, body: { ...body, data: await nameActors(context.db, body.data) } };
  };
}
