import { deleteRow } from '../db/resource.ts';
import { erasePerson } from '../events/erase-person.ts';
import { recordDeleted } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent } from '../http/responses.ts';
import { unlinkContact } from '../leads/unlink-contact.ts';
import { lock } from '../resource/rows.ts';
import { contacts } from './queries.ts';

/**
 * Deletes a contact permanently, with the personal data in its events and inbound deliveries. Its leads stay, without a
 * contact.
 */
export async function deleteContact(
  input: Input<'deleteContact'>,
  context: OperationContext,
): Promise<Result<'deleteContact'>> {
  const contact = await lock(context.db, contacts, input, 'update');
  await unlinkContact(contact.id, context);
  await deleteRow(context.db, contacts, contact.id);
  await recordDeleted(context, 'contact', contact.id);
  await erasePerson(context.db, 'contact', contact);
  return noContent;
}
