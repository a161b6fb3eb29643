import type { Db } from '../../db/db.ts';
import { updateRow } from '../../db/resource.ts';
import { NOW } from '../../db/row-statements.ts';
import { type Failure, failureColumns } from '../../jobs/failure.ts';
import { Problem } from '../../problem.ts';
import { noCounts } from '../job.ts';
import { bulkJobs } from '../queries.ts';
import type { BulkJobRow, JobResource } from '../tables.ts';

/** Adds the next part of a seed. Throws a Problem if the data is there already. */
export type SeedChunk = (
  trx: Db,
  job: BulkJobRow,
) => Promise<{ added: Partial<Record<JobResource, number>>; isLast: boolean }>;

/** Adds the next part of a seed, and stores the progress. Returns the job. */
export async function seedRows(trx: Db, job: BulkJobRow, seedChunk: SeedChunk): Promise<BulkJobRow> {
  try {
    const { added, isLast } = await seedChunk(trx, job);
    const progress = { ...job.progress };
    let rowsDone = job.rows_done;
    for (const resource of job.resources) {
      const { total = 0, done = 0, counts = noCounts } = progress[resource] ?? {};
      const rows = added[resource] ?? 0;
      progress[resource] = {
        total: Math.max(total, done + rows),
        done: done + rows,
        counts: { ...counts, created: counts.created + rows },
      };
      // The job's total doesn't know how many leads have contacts.
      if (resource !== 'contacts') rowsDone += rows;
    }
    return await updateRow(trx, bulkJobs, job.id, {
      status: 'running',
      ...(job.started_at === null && { started_at: NOW }),
      ...(isLast && { status: 'completed', finished_at: NOW }),
      rows_done: rowsDone,
      progress,
      next_chunk: job.next_chunk + 1,
      attempts: 0,
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return updateRow(trx, bulkJobs, job.id, {
      status: 'failed',
      finished_at: NOW,
      ...failureColumns({ code: error.code as Failure['code'], message: error.message }),
    });
  }
}
