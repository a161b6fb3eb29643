import { NOW, type Values } from '../db/resource.ts';
import type { LeadRow } from '../db/tables.ts';
import { recordChange } from '../events/record-change.ts';
import type { OperationContext } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { actorOf, toLead } from './lead.ts';
import { insertStatusChange, leads } from './queries.ts';

/**
 * Updates a lead. Every update of a lead must go through here: it records a status change in the lead's history, and
 * clears `lost_reason` when the status is not `lost`.
 */
export async function changeLead(
  before: LeadRow,
  { status = before.status, ...changes }: Partial<LeadRow>,
  context: OperationContext,
): Promise<LeadRow> {
  const values: Values<LeadRow> = {
    ...changes,
    status,
    ...(status !== before.status && { status_changed_at: NOW }),
    ...(status !== 'lost' && { lost_reason: null }),
  };
  const after = await change(context.db, leads, before, values, context.principal);
  if (after.status !== before.status) {
    await insertStatusChange(context.db, before, after, actorOf(context));
  }
  await recordChange(context, 'lead', toLead, before, after);
  return after;
}
