import { toContact } from '../contacts/contact.ts';
import type { ContactRow } from '../contacts/tables.ts';
import type { Schema } from '../http/operation.ts';
import { toLead } from '../leads/lead.ts';
import type { LeadRow } from '../leads/tables.ts';

/** A lead in the answer to a batch. */
export function showLead(row: LeadRow): { id: string; lead: Schema<'Lead'> } {
  const lead = toLead(row);
  return { id: lead.id, lead };
}

/** A contact in the answer to a batch. */
export function showContact(row: ContactRow): { id: string; contact: Schema<'Contact'> } {
  const contact = toContact(row);
  return { id: contact.id, contact };
}
