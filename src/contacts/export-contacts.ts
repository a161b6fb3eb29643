import { conditionsOf } from '../db/list/filters.ts';
import { exportRows } from '../http/export.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toContact } from './contact.ts';
import { contactFilters, contacts } from './queries.ts';

export async function exportContacts(
  { query }: Pick<Input<'exportContacts'>, 'query'>,
  { readSnapshot }: Pick<OperationContext, 'readSnapshot'>,
): Promise<Result<'exportContacts'>> {
  const conditions = conditionsOf(contactFilters, query);
  return exportRows(readSnapshot, contacts, { query, conditions, toData: toContact });
}
