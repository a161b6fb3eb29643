import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, toBulkJob } from './job.ts';
import { bulkJobs } from './queries.ts';

export async function getBulkJob(
  { path }: Input<'getBulkJob'>,
  { db, principal }: OperationContext,
): Promise<Result<'getBulkJob'>> {
  requireAnyScope(principal, 'read');
  const row = await findOrThrow(db, bulkJobs, path.id);
  requireScopes(principal, row.resources, 'read');
  return ok(toBulkJob(row));
}
