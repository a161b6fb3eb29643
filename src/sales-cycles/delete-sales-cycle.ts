import { deleteRows, updateRow } from '../db/resource.ts';
import { updatedEvents } from '../events/record-change.ts';
import { recordEvents } from '../events/record-events.ts';
import { noContent } from '../http/responses.ts';
import { toLead } from '../leads/lead.ts';
import { findFirstTimes } from '../leads/merge-queries.ts';
import { leads } from '../leads/queries.ts';
import {
  deleteChanges,
  findChanges,
  findLastCycle,
  numberSalesCycles,
  salesCycles,
} from '../leads/sales-cycles/queries.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { findOrThrow, lockOrThrow } from '../resource/rows.ts';
import { toId } from '../values/id.ts';

/** Withdraws that the lead's last cycle was opened: the lead is what its previous cycle left. */
export async function deleteSalesCycle(
  input: Input<'deleteSalesCycle'>,
  context: OperationContext,
): Promise<Result<'deleteSalesCycle'>> {
  const { db } = context;
  const { lead_id } = await findOrThrow(db, salesCycles, input.path.id);
  const lead = await lockOrThrow(db, leads, { path: { id: toId('lead', lead_id) }, headers: {} });
  const cycle = await lockOrThrow(db, salesCycles, input, 'update');
  if (lead.sales_cycle_id !== cycle.id) {
    throw invalidField('id', "must be the id of the lead's last sales cycle: it has a later one");
  }
  await deleteChanges(db, lead.id, await findChanges(db, cycle));
  await deleteRows(db, salesCycles, [cycle.id]);
  const previous = await findLastCycle(db, lead.id);
  if (previous === undefined) {
    throw invalidField('id', "can't be the id of the lead's only sales cycle; delete the lead instead");
  }
  await numberSalesCycles(db, lead.id);
  const { status, lost_reason, value_amount, value_currency, expected_close_on, opened_at, closed_at } =
    previous;
  const after = await updateRow(db, leads, lead.id, {
    ...(await findFirstTimes(db, lead.id)),
    status,
    status_changed_at: closed_at as string,
    lost_reason,
    value_amount,
    value_currency,
    expected_close_on,
    sales_cycle_id: previous.id,
    sales_cycle_opened_at: opened_at,
  });
  const object = { id: toId('cycle', cycle.id), lead_id: toId('lead', lead.id) };
  await recordEvents(context, [
    ...updatedEvents('lead', toLead(lead), toLead(after)),
    { type: 'lead.sales_cycle_deleted', object, about: lead.id },
  ]);
  return noContent;
}
