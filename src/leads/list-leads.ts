import type { Input, OperationContext, Result } from '../http/operation.ts';
import { paginate } from '../http/pagination.ts';
import { invalidParameter } from '../http/problem.ts';
import { toLead } from './lead.ts';
import { findLeads, sortableColumns } from './queries.ts';

export async function listLeads(
  { query }: Input<'listLeads'>,
  { db, baseUrl }: OperationContext,
): Promise<Result<'listLeads'>> {
  for (const name of ['reached_from', 'reached_to'] as const) {
    if (query[name] !== undefined && query.reached === undefined) {
      throw invalidParameter(name, 'needs the parameter reached, the status that was entered at that time');
    }
  }
  const { rows, meta, headers } = await paginate(`${baseUrl}/leads`, query, sortableColumns, (request) =>
    findLeads(db, query, request),
  );
  return { status: 200, headers, body: { data: rows.map(toLead), meta } };
}
