import type { Db } from '../db/db.ts';
import { type Resource, updateRow } from '../db/resource.ts';
import { NOW, type RowValues } from '../db/row-statements.ts';
import { invalidField, type ProblemCode } from '../problem.ts';
import type { JobRow } from './tables.ts';

type EndStatus = 'completed' | 'cancelled' | 'failed';

/** Deletes what a job of a kind no longer needs when it ends. Returns what else changes. */
export type CleanUp<Job extends JobRow> = (trx: Db, job: Job, status: EndStatus) => Promise<RowValues<Job>>;

/** Ends a locked job. `last` is what else changes. Returns the job. */
export async function endJob<Job extends JobRow>(
  trx: Db,
  { resource, cleanUp }: { resource: Resource<Job>; cleanUp: CleanUp<Job> },
  job: Job,
  status: EndStatus,
  last: RowValues<Job> = {},
): Promise<Job> {
  const end = { ...last, ...(await cleanUp(trx, job, status)), status, finished_at: NOW };
  return updateRow(trx, resource, job.id, end as RowValues<Job>);
}

/** Cancels a locked job that has not ended. Throws 409 with this code if it has. */
export async function cancelJob<Job extends JobRow>(
  trx: Db,
  kind: Parameters<typeof endJob<Job>>[1],
  job: Job,
  [field, noun, code]: readonly [field: string, noun: string, code: ProblemCode],
): Promise<Job> {
  if (job.status === 'cancelled') return job;
  if (job.status === 'completed' || job.status === 'failed') {
    throw invalidField(field, `This ${noun} can't be cancelled: it has already ${job.status}.`, code);
  }
  return endJob(trx, kind, job, 'cancelled');
}
