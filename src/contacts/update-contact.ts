import type { Input, OperationContext, Result } from '../http/operation.ts';
import { changed } from '../http/resource.ts';
import { changeContact } from './change-contact.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';

export async function updateContact(
  input: Input<'updateContact'>,
  context: OperationContext,
): Promise<Result<'updateContact'>> {
  return changed(contacts, toContact, changeContact, input, context);
}
