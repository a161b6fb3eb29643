import { deleteRow } from '../db/resource.ts';
import { recordDeleted } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { lock, noContent } from '../http/resource.ts';
import { unlinkContact } from '../leads/unlink-contact.ts';
import { contacts } from './queries.ts';

/** Permanent. Its leads stay, without a contact. */
export async function deleteContact(
  input: Input<'deleteContact'>,
  context: OperationContext,
): Promise<Result<'deleteContact'>> {
  const { id } = await lock(context.db, contacts, input, 'update');
  await unlinkContact(id, context);
  await deleteRow(context.db, contacts, id);
  await recordDeleted(context, 'contact', id);
  return noContent;
}
