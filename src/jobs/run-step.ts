import type { Actor } from '../actor.ts';
import type { Db } from '../db/db.ts';
import { isUnavailable } from '../db/errors.ts';
import { type Resource, updateRow } from '../db/resource.ts';
import type { RowValues } from '../db/row-statements.ts';
import type { BaseRow } from '../db/tables.ts';
import type { Principal } from '../principal.ts';
import type { Failure } from './failure.ts';
import { checkGrant } from './grant.ts';
import type { GrantColumns } from './tables.ts';

/** How often a step may fail for a reason other than its rows before the job fails. */
const MAX_ATTEMPTS = 5;

type JobRow = BaseRow & GrantColumns & { attempts: number };

/** Jobs in a table, which is their queue: each process locks the row of the job that it works on. */
export interface Queue<Job extends JobRow> {
  resource: Resource<Job>;
  /** Locks the next job, or the one with this id (UUID). Undefined if there is none, or another process has locked it. */
  lockNext(trx: Db, id?: string): Promise<Job | undefined>;
  /** Throws 403 unless the principal has the scopes that the job needs. */
  requireScopes(principal: Principal, job: Job): void;
  /** Does the next step as the actor, and stores the progress. Returns the job after that. */
  run(trx: Db, job: Job, actor: Actor): Promise<Job>;
  /** Stores that the job has failed. Returns it. */
  fail(trx: Db, job: Job, failure: Failure): Promise<Job>;
  /** Why the job fails if its steps fail for another reason than its rows. */
  hopeless: Failure;
  /** Whether the step should only be repeated. */
  isHarmless?(error: unknown): boolean;
}

/**
 * Does the next step of a job, if its client may still do it. One transaction holds the rows and the progress, so that no row
 * is lost or done twice, even if the process is killed. Returns the job before and after; undefined if there is none to work on.
 */
export async function runStep<Job extends JobRow>(
  db: Db,
  queue: Queue<Job>,
  wanted?: string,
): Promise<{ before: Job; after: Job } | undefined> {
  let before: Job | undefined;
  try {
    return await db.transaction(async (trx) => {
      const job = await queue.lockNext(trx, wanted);
      before = job;
      if (job === undefined) return undefined;
      const grant = await checkGrant(trx, job, (principal) => queue.requireScopes(principal, job));
      const after =
        'failure' in grant
          ? await queue.fail(trx, job, grant.failure)
          : await queue.run(trx, job, grant.actor);
      return { before: job, after };
    });
  } catch (error) {
    const isCounted = before !== undefined && !isUnavailable(error) && !queue.isHarmless?.(error);
    if (isCounted) await countFailure(db, queue, before?.id);
    throw error;
  }
}

function countFailure<Job extends JobRow>(db: Db, queue: Queue<Job>, id: string | undefined): Promise<void> {
  return db.transaction(async (trx) => {
    const job = await queue.lockNext(trx, id);
    if (job === undefined) return;
    const attempts = job.attempts + 1;
    const counted = await updateRow(trx, queue.resource, job.id, { attempts } as RowValues<Job>);
    if (attempts >= MAX_ATTEMPTS) await queue.fail(trx, counted, queue.hopeless);
  });
}
