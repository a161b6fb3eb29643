import type { Db } from '../../db/db.ts';
import { updateRow } from '../../db/resource.ts';
import { NOW } from '../../db/row-statements.ts';
import { countFailures, errorsOfProblem } from '../../jobs/failures.ts';
import type { Problem } from '../../problem.ts';
import { newUuid } from '../../values/id.ts';
import { ended } from '../ended.ts';
import { addCounts, noCounts } from '../job.ts';
import { bulkJobs, deleteChunk, insertErrors } from '../queries.ts';
import type { BulkJobErrorRow, BulkJobRow, Chunk, JobCounts } from '../tables.ts';

/** Maximum errors kept of a job: they must not fill the disk. */
const MAX_KEPT = 100_000;

/** What became of a row. */
export type Outcome = { status: Exclude<keyof JobCounts, 'failed'> } | { status: 'failed'; error: Problem };

/** Stores what became of a chunk's rows, and the progress of its job. Returns the job. */
export async function keepResults(
  trx: Db,
  job: BulkJobRow,
  { resource, first_row, ids }: Chunk,
  outcomes: readonly Outcome[],
): Promise<BulkJobRow> {
  const byRow = outcomes.map((outcome, index): BulkJobErrorRow[] => {
    if (outcome.status !== 'failed') return [];
    const row = { row: first_row + index, resource, resource_id: ids[index] ?? null };
    return errorsOfProblem(outcome.error).map((error) => ({ id: newUuid(), ...row, ...error }));
  });
  const errors = byRow.flat().slice(0, MAX_KEPT - job.errors_kept);
  await insertErrors(trx, job.id, errors);
  await deleteChunk(trx, job.id, job.next_chunk);
  const counts = { ...noCounts };
  for (const { status } of outcomes) counts[status] += 1;
  const { total = 0, done = 0, counts: before = noCounts } = job.progress[resource] ?? {};
  const progress = { total, done: done + outcomes.length, counts: addCounts(before, counts) };
  const rowsDone = job.rows_done + outcomes.length;
  return updateRow(trx, bulkJobs, job.id, {
    status: 'running',
    ...(job.started_at === null && { started_at: NOW }),
    ...(rowsDone >= job.rows_total && ended(job, 'completed')),
    rows_done: rowsDone,
    progress: { ...job.progress, [resource]: progress },
    failures: countFailures(job.failures, byRow),
    errors_kept: job.errors_kept + errors.length,
    next_chunk: job.next_chunk + 1,
    attempts: 0,
  });
}
