import { updateRow } from '../db/resource.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { ended } from './ended.ts';
import { requireAnyScope, requireScopes, toBulkJob } from './job.ts';
import { bulkJobs, deleteChunks } from './queries.ts';

/** Waits for a running chunk, which locks the job. */
export async function cancelBulkJob(
  input: Pick<Input<'cancelBulkJob'>, 'path' | 'headers'>,
  { db, principal }: OperationContext,
): Promise<Result<'cancelBulkJob'>> {
  requireAnyScope(principal, 'write');
  const before = await lockOrThrow(db, bulkJobs, input);
  requireScopes(principal, before.resources, 'read', 'write');
  if (before.status === 'cancelled') return ok(toBulkJob(before));
  if (before.status !== 'queued' && before.status !== 'running') {
    throw invalidField(
      'id',
      `This job can't be cancelled: it has already ${before.status}.`,
      'wrong_job_status',
    );
  }
  await deleteChunks(db, before.id);
  return ok(toBulkJob(await updateRow(db, bulkJobs, before.id, ended(before, 'cancelled'))));
}
