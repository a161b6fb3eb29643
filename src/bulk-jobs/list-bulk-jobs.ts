import { condition } from '../db/list/condition.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { readableResources, requireAnyScope, toBulkJob } from './job.ts';
import { jobFilters, listedJobs } from './queries.ts';

export async function listBulkJobs(
  { query }: Input<'listBulkJobs'>,
  context: OperationContext,
): Promise<Result<'listBulkJobs'>> {
  requireAnyScope(context.principal, 'read');
  const readable = condition('resources <@ ?::text[]', readableResources(context.principal));
  return list(context, listedJobs, {
    query,
    conditions: [readable, ...conditionsOf(jobFilters, query)],
    toData: toBulkJob,
  });
}
