import { NOW, type Values } from '../db/resource.ts';
import type { LeadRow } from '../db/tables.ts';
import { recordChange } from '../events/record-change.ts';
import type { OperationContext } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { actorOf, toLead } from './lead.ts';
import { insertStatusChange, leads } from './queries.ts';

/** The one way to change a lead: a new status is recorded, and a lead that is not lost has no reason for it. */
export async function changeLead(
  before: LeadRow,
  { status = before.status, ...wanted }: Partial<LeadRow>,
  context: OperationContext,
): Promise<LeadRow> {
  const values: Values<LeadRow> = {
    ...wanted,
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
