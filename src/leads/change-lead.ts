import { NOW, type Values } from '../db/row-statements.ts';
import type { OperationContext } from '../http/operation.ts';
import { update } from '../resource/rows.ts';
import { insertStatusChange, leads } from './queries.ts';
import type { LeadRow } from './tables.ts';

/** Updates a lead, with its history of statuses. Clears `lost_reason` when the status is not `lost`. */
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
  const after = await update(context, leads, before, values);
  if (after.status !== before.status) await insertStatusChange(before, after, context);
  return after;
}
