import { changesBetween } from '../../events/record-change.ts';
import { type NewEvent, type Recorder, recordEvents } from '../../events/record-events.ts';
import { isClosed, type LeadRow } from '../tables.ts';
import { findSalesCycles } from './queries.ts';
import { toSalesCycle } from './sales-cycle.ts';
import type { SalesCycleRow } from './tables.ts';

/** A locked lead before and after a change. */
interface Changed {
  before: LeadRow;
  after: LeadRow;
}

/** While a lead is won or lost, these are what its last cycle keeps. */
const corrected = ['lost_reason', 'value_amount', 'value_currency'] as const;

/** Records the events of the cycles that the changes of closed leads have corrected. */
export async function recordCorrections(recorder: Recorder, changes: readonly Changed[]): Promise<void> {
  const corrections = changes.filter(
    ({ before, after }) =>
      isClosed(before.status) &&
      before.sales_cycle_id === after.sales_cycle_id &&
      before.status === after.status &&
      corrected.some((column) => before[column] !== after[column]),
  );
  const ids = corrections.map(({ after }) => after.sales_cycle_id);
  const cycles = await findSalesCycles(recorder.db, ids);
  const events = corrections.map(({ before }) => {
    const cycle = cycles.get(before.sales_cycle_id) as SalesCycleRow;
    const { lost_reason, value_amount, value_currency } = before;
    return correctedEvent({ ...cycle, lost_reason, value_amount, value_currency }, cycle);
  });
  await recordEvents(recorder, events);
}

/** The event belongs to the lead's history. */
export function correctedEvent(before: SalesCycleRow, after: SalesCycleRow): NewEvent {
  const object = toSalesCycle(after);
  const changes = changesBetween(toSalesCycle(before), object) ?? {};
  return { type: 'lead.sales_cycle_corrected', object, changes, about: after.lead_id };
}
