import { equals } from '../db/list/filters.ts';
import { exportRows } from '../http/lists/export.ts';
import { list } from '../http/lists/pagination.ts';
import { noStore } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, toBulkJobError } from './job.ts';
import { bulkJobs, jobErrors } from './queries.ts';

export async function listBulkJobErrors(
  { path, query }: Input<'listBulkJobErrors'>,
  context: OperationContext,
): Promise<Result<'listBulkJobErrors'>> {
  const { db, principal } = context;
  requireAnyScope(principal, 'read');
  const { id, resources } = await findOrThrow(db, bulkJobs, path.id);
  requireScopes(principal, resources, 'read');
  const errors = { query, conditions: [equals('job_id')(id)], toData: toBulkJobError };
  return context.mediaType === 'application/json'
    ? noStore(await list(context, jobErrors, errors))
    : exportRows(context, jobErrors, errors);
}
