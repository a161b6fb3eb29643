import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toContact } from './contact.ts';
import { contactFilters, contacts } from './queries.ts';

export async function listContacts(
  { query }: Input<'listContacts'>,
  context: OperationContext,
): Promise<Result<'listContacts'>> {
  return list(context, contacts, {
    query,
    conditions: conditionsOf(contactFilters, query),
    toData: toContact,
  });
}
