import { created } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { addContact } from './add-contact.ts';
import { toContact } from './contact.ts';

export async function createContact(
  { body }: Input<'createContact'>,
  context: OperationContext,
): Promise<Result<'createContact'>> {
  return created(`${context.baseUrl}/contacts`, toContact(await addContact(body, context)));
}
