import { exportRows } from '../http/export.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { conditionsOfLeads } from './conditions.ts';
import { toLead } from './lead.ts';
import { leads } from './queries.ts';

export async function exportLeads(
  { query }: Pick<Input<'exportLeads'>, 'query'>,
  { readSnapshot }: Pick<OperationContext, 'readSnapshot'>,
): Promise<Result<'exportLeads'>> {
  return exportRows(readSnapshot, leads, { query, conditions: conditionsOfLeads(query), toData: toLead });
}
