import { deleteRow } from '../db/resource.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { lock, noContent } from '../http/resource.ts';
import { unlinkContact } from '../leads/queries.ts';
import { contacts } from './queries.ts';

/** Permanent. Its leads stay, without a contact. */
export async function deleteContact(
  input: Input<'deleteContact'>,
  { db }: OperationContext,
): Promise<Result<'deleteContact'>> {
  const contact = await lock(db, contacts, input, 'update');
  await unlinkContact(db, contact.id);
  await deleteRow(db, contacts, contact.id);
  return noContent;
}
