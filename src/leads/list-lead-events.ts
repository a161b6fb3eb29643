import { toEvent } from '../events/event.ts';
import { eventLog, ofResource } from '../events/queries.ts';
import type { EventRow } from '../events/tables.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { leads } from './queries.ts';

export async function listLeadEvents(
  { path, query }: Input<'listLeadEvents'>,
  context: OperationContext,
): Promise<Result<'listLeadEvents'>> {
  const lead = await findOrThrow(context.db, leads, path.id);
  return list(context, eventLog, {
    query,
    conditions: [ofResource(lead.id, query.types)],
    toData: (row: EventRow) => toEvent(row, context.environment),
  });
}
