import { base, column, columnsOf, personal } from '../../db/tables.ts';
import type { Schema } from '../../operation.ts';
import type { LeadRow, LeadStatus } from '../tables.ts';

/** A way of a lead through the pipeline. Triggers write it: an open one follows its lead, a closed one keeps what it was. */
export const salesCycle = {
  ...base,
  lead_id: column<string>(),
  number: column<number>(),
  status: column<LeadStatus>(),
  furthest_status: column<Schema<'SalesCycle'>['furthest_status']>(),
  source: column<LeadRow['source']>(),
  source_detail: personal<string | null>(),
  company: personal<string | null>(),
  tags: personal<string[]>(),
  assigned_user_id: column<string | null>(),
  content_id: column<string | null>(),
  lost_reason: personal<string | null>(),
  value_amount: column<string | null>(),
  value_currency: column<string | null>(),
  expected_close_on: column<string | null>(),
  external_id: personal<string | null>(),
  opened_at: column<string>(),
  closed_at: column<string | null>(),
};

export type SalesCycleRow = typeof salesCycle;
export const salesCycleColumns = columnsOf(salesCycle);

declare module 'knex/types/tables.js' {
  interface Tables {
    sales_cycles: SalesCycleRow;
  }
}
