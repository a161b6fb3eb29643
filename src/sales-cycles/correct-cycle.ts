import type { RowValues } from '../db/row-statements.ts';
import { leads } from '../leads/queries.ts';
import { salesCycles } from '../leads/sales-cycles/queries.ts';
import type { SalesCycleRow } from '../leads/sales-cycles/tables.ts';
import type { LeadRow, LeadStatus } from '../leads/tables.ts';
import { updateOrThrow } from '../resource/rows.ts';
import type { Writer } from '../resource/rules.ts';
import { type Corrected, correctStatus } from './correct-status.ts';

interface Correction {
  lead: LeadRow;
  /** The closed cycle, locked. */
  before: SalesCycleRow;
  /** `won` or `lost`. Undefined if it stays. */
  status: LeadStatus | undefined;
  values: RowValues<SalesCycleRow>;
}

/** Corrects a closed cycle. Its lead shows the status, the value and the lost reason of the last one. */
export async function correctCycle(
  { lead, before, status, values }: Correction,
  writer: Writer,
): Promise<Corrected> {
  const cycle = await updateOrThrow(writer, salesCycles, before, {
    ...values,
    status,
    ...(status === 'won' && { lost_reason: null }),
  });
  const isLast = lead.sales_cycle_id === before.id;
  const { lost_reason, value_amount, value_currency } = cycle;
  const shown = isLast ? { lost_reason, value_amount, value_currency } : {};
  if (cycle.status !== before.status) return correctStatus({ lead, before, cycle, isLast, shown }, writer);
  return { cycle, lead: await updateOrThrow(writer, leads, lead, shown) };
}
