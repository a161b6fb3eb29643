import type { Db } from '../../db/db.ts';
import { countFailures, errorsOfProblem } from '../../jobs/failures.ts';
import { insertErrors, type NewJobError } from '../../jobs/queries.ts';
import type { Done } from '../../jobs/run-step.ts';
import type { Problem } from '../../problem.ts';
import { addCounts, noCounts } from '../job.ts';
import { deleteChunk } from '../queries.ts';
import type { BulkJobRow, Chunk, JobCounts } from '../tables.ts';

/** Maximum errors kept of a job: they must not fill the disk. */
const MAX_KEPT = 100_000;

/** What became of a row. */
export type Outcome = { status: Exclude<keyof JobCounts, 'failed'> } | { status: 'failed'; error: Problem };

/** Stores what became of a chunk's rows. */
export async function keepResults(
  trx: Db,
  job: BulkJobRow,
  { resource, first_row, ids }: Chunk,
  outcomes: readonly Outcome[],
): Promise<Done<BulkJobRow>> {
  const byRow = outcomes.map((outcome, index): NewJobError[] => {
    if (outcome.status !== 'failed') return [];
    const row = { row: first_row + index, resource, resource_id: ids[index] ?? null };
    return errorsOfProblem(outcome.error).map((error) => ({ severity: 'error', ...row, ...error }));
  });
  const errors = byRow.flat().slice(0, MAX_KEPT - job.errors_kept);
  await insertErrors(trx, job.id, errors);
  await deleteChunk(trx, job.id, job.next_chunk);
  const counts = { ...noCounts };
  for (const { status } of outcomes) counts[status] += 1;
  const { total = 0, done = 0, counts: before = noCounts } = job.counts[resource] ?? {};
  const progress = { total, done: done + outcomes.length, counts: addCounts(before, counts) };
  const rowsDone = job.rows_done + outcomes.length;
  return {
    changes: {
      rows_done: rowsDone,
      counts: { ...job.counts, [resource]: progress },
      failures: countFailures(job.failures, byRow),
      errors_kept: job.errors_kept + errors.length,
    },
    isLast: rowsDone >= job.rows_total,
  };
}
