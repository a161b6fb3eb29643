import type { Schema } from '../operation.ts';
import { toContact } from './contact.ts';
import type { ContactRow } from './tables.ts';

/** A contact in the answer to a batch. */
export function showContact(row: ContactRow): { id: string; contact: Schema<'Contact'> } {
  const contact = toContact(row);
  return { id: contact.id, contact };
}
