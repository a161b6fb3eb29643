import type { Schema } from '../operation.ts';
import { toLead } from './lead.ts';
import type { LeadRow } from './tables.ts';

/** A lead in the answer to a batch. */
export function showLead(row: LeadRow): { id: string; lead: Schema<'Lead'> } {
  const lead = toLead(row);
  return { id: lead.id, lead };
}
