import type { Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { history, personFields } from '../resource/fields.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { LeadRow, LeadStatus } from './tables.ts';
import { toValue } from './value.ts';

export function toLead(row: LeadRow): Schema<'Lead'> {
  return {
    id: toId('lead', row.id),
    ...personFields(row),
    status: row.status,
    source: row.source,
    source_detail: row.source_detail,
    content_id: toNullableId('content', row.content_id),
    contact_id: toNullableId('contact', row.contact_id),
    lost_reason: row.lost_reason,
    value: toValue(row),
    expected_close_on: row.expected_close_on,
    status_changed_at: row.status_changed_at,
    first_contacted_at: row.contacted_at,
    first_qualified_at: row.qualified_at,
    first_won_at: row.won_at,
    first_lost_at: row.lost_at,
    sales_cycle: {
      id: toId('cycle', row.sales_cycle_id),
      number: row.sales_cycle_number,
      opened_at: row.sales_cycle_opened_at,
    },
    sales_cycles_won: row.sales_cycles_won,
    ...history(row),
  };
}

/** Throws 422 for a lost reason on a lead that is not lost. */
export function checkLostReason(status: LeadStatus, lostReason: string | null | undefined): void {
  if (lostReason !== null && lostReason !== undefined && status !== 'lost') {
    throw invalidField('lost_reason', `can only be set with status lost, not with ${status}`);
  }
}
