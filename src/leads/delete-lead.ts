import { deleteRows } from '../db/resource.ts';
import { erasePeople } from '../erasures/erase-people.ts';
import { recordDeleted } from '../events/record-change.ts';
import type { Recorder } from '../events/record-events.ts';
import { noContent } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lock } from '../resource/rows.ts';
import { leads } from './queries.ts';
import type { LeadRow } from './tables.ts';

export async function deleteLead(
  input: Input<'deleteLead'>,
  context: OperationContext,
): Promise<Result<'deleteLead'>> {
  await removeLeads([await lock(context.db, leads, input, 'update')], context);
  return noContent;
}

/**
 * Deletes locked leads permanently, with their status changes and the personal data in their events and inbound
 * deliveries.
 */
export async function removeLeads(rows: readonly LeadRow[], context: Recorder): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await deleteRows(context.db, leads, ids);
  await recordDeleted(context, 'lead', ...ids);
  await erasePeople(context.db, 'lead', rows);
}
