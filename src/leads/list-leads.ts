import { list } from '../http/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { conditionsOfLeads } from './conditions.ts';
import { toLead } from './lead.ts';
import { leads } from './queries.ts';

export async function listLeads(
  { query }: Input<'listLeads'>,
  context: OperationContext,
): Promise<Result<'listLeads'>> {
  return list(context, leads, { query, conditions: conditionsOfLeads(query), toData: toLead });
}
