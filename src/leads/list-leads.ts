import type { Input, OperationContext, Result } from '../http/operation.ts';
import { invalidParameter } from '../http/problem.ts';
import { list } from '../http/resource.ts';
import { toLead } from './lead.ts';
import { leadFilters, leads } from './queries.ts';

export async function listLeads(
  { query }: Input<'listLeads'>,
  context: OperationContext,
): Promise<Result<'listLeads'>> {
  for (const name of ['reached_from', 'reached_to'] as const) {
    if (query[name] !== undefined && query.reached === undefined) {
      throw invalidParameter(name, 'requires the parameter reached, the status entered in that time range');
    }
  }
  return list(leads, leadFilters, toLead, query, context);
}
