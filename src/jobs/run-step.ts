import type { Db } from '../db/db.ts';
import { isUnavailable } from '../db/errors.ts';

/** How often a step may fail for a reason other than its rows before the job fails. */
const MAX_ATTEMPTS = 5;

/** Jobs in a table, which is their queue: each process locks the row of the job that it works on. */
export interface Queue<Job extends { id: string; attempts: number }> {
  /** Locks the next job, or the one with this id (UUID). Undefined if there is none, or another process has locked it. */
  lockNext(trx: Db, id?: string): Promise<Job | undefined>;
  /** Does the next step, and stores the progress. Returns the job after that. */
  run(trx: Db, job: Job): Promise<Job>;
  /** Stores that the step has failed this many times. `isHopeless`: the job fails. */
  countFailure(trx: Db, job: Job, attempts: number, isHopeless: boolean): Promise<unknown>;
  /** Whether the step should only be repeated. */
  isHarmless?(error: unknown): boolean;
}

/**
 * Does the next step of a job. One transaction holds the rows and the progress, so that no row is lost or done twice, even if
 * the process is killed. Returns the job before and after; undefined if there is none to work on.
 */
export async function runStep<Job extends { id: string; attempts: number }>(
  db: Db,
  queue: Queue<Job>,
  wanted?: string,
): Promise<{ before: Job; after: Job } | undefined> {
  let before: Job | undefined;
  try {
    return await db.transaction(async (trx) => {
      before = await queue.lockNext(trx, wanted);
      return before && { before, after: await queue.run(trx, before) };
    });
  } catch (error) {
    const isCounted = before !== undefined && !isUnavailable(error) && !queue.isHarmless?.(error);
    if (isCounted) await countFailure(db, queue, before?.id);
    throw error;
  }
}

function countFailure<Job extends { id: string; attempts: number }>(
  db: Db,
  queue: Queue<Job>,
  id: string | undefined,
): Promise<void> {
  return db.transaction(async (trx) => {
    const job = await queue.lockNext(trx, id);
    if (job === undefined) return;
    const attempts = job.attempts + 1;
    await queue.countFailure(trx, job, attempts, attempts >= MAX_ATTEMPTS);
  });
}
