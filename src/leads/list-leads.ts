import { conditionsOf } from '../db/list/filters.ts';
import { invalidParameter } from '../http/errors/problem.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { list } from '../http/pagination.ts';
import { toLead } from './lead.ts';
import { leadFilters, leads } from './queries.ts';

export async function listLeads(
  { query }: Input<'listLeads'>,
  { db, baseUrl }: OperationContext,
): Promise<Result<'listLeads'>> {
  for (const name of ['reached_from', 'reached_to'] as const) {
    if (query[name] !== undefined && query.reached === undefined) {
      throw invalidParameter(name, 'can only be sent together with reached');
    }
  }
  return list(db, leads, {
    url: `${baseUrl}/leads`,
    query,
    conditions: conditionsOf(leadFilters, query),
    toData: toLead,
  });
}
