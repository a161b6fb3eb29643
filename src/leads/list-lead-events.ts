import type { EventRow } from '../db/tables.ts';
import { toEvent } from '../events/event.ts';
import { eventLog, ofResource, ofTypes } from '../events/queries.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { find, listAt } from '../http/resource.ts';
import { leads } from './queries.ts';

export async function listLeadEvents(
  { path, query }: Input<'listLeadEvents'>,
  { db, environment, baseUrl }: OperationContext,
): Promise<Result<'listLeadEvents'>> {
  const lead = await find(db, leads, path.id);
  const conditions = [ofResource(lead.id), ...ofTypes(query.types)];
  const toData = (row: EventRow) => toEvent(row, environment);
  return listAt(`${baseUrl}/leads/${path.id}/events`, eventLog, conditions, toData, query, db);
}
