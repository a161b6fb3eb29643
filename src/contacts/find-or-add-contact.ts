import type { ContactRow } from '../db/tables.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { addContact } from './add-contact.ts';
import { findContactByEmail } from './queries.ts';

/**
 * Returns the existing contact with this email, unchanged, or adds one. The contact cannot be deleted until the
 * transaction ends.
 */
export async function findOrAddContact(
  contact: Schema<'CreateContact'> & { email: string },
  context: OperationContext,
): Promise<{ contact: ContactRow; created: boolean }> {
  const found = await findContactByEmail(context.db, contact.email);
  if (found !== undefined) return { contact: found, created: false };
  try {
    return { contact: await addContact(contact, context), created: true };
  } catch (error) {
    // A concurrent request added it after the lookup.
    if (!(error instanceof Problem && error.code === 'duplicate_email')) throw error;
    return findOrAddContact(contact, context);
  }
}
