import type { Input, OperationContext, Result } from '../http/operation.ts';
import { list } from '../http/resource.ts';
import { toContact } from './contact.ts';
import { contactFilters, contacts } from './queries.ts';

export async function listContacts(
  { query }: Input<'listContacts'>,
  context: OperationContext,
): Promise<Result<'listContacts'>> {
  return list(contacts, contactFilters, toContact, query, context);
}
