import { ok } from '../http/responses.ts';
import { cancelJob } from '../jobs/end-job.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { cleanUpBulkJob } from './clean-up.ts';
import { requireScopes, requireScopesOf, toBulkJob } from './job.ts';
import { bulkJobs } from './queries.ts';
import { takeBack } from './take-back.ts';

/** Waits for a running chunk, which locks the job. */
export async function cancelBulkJob(
  input: Pick<Input<'cancelBulkJob'>, 'path' | 'headers'>,
  { db, principal }: OperationContext,
): Promise<Result<'cancelBulkJob'>> {
  const before = await lockOrThrow(db, bulkJobs, input);
  requireScopes(principal, before.resources, 'read', 'write');
  const isDeclaration = before.kind === 'declare';
  if (isDeclaration) requireScopesOf(principal, before);
  const kind = { resource: bulkJobs, cleanUp: isDeclaration ? takeBack : cleanUpBulkJob };
  return ok(toBulkJob(await cancelJob(db, kind, before, ['id', 'job', 'wrong_job_status'])));
}
