import type { Logger } from 'pino';
import type { Actor } from '../actor.ts';
import type { Db } from '../db/db.ts';
import { isUnavailable } from '../db/errors.ts';
import { type Resource, updateRow } from '../db/resource.ts';
import { NOW, type RowValues } from '../db/row-statements.ts';
import type { Principal } from '../principal.ts';
import { type CleanUp, endJob } from './end-job.ts';
import { type Failure, failureColumns } from './failure.ts';
import { checkGrant } from './grant.ts';
import { lockNext, postpone } from './queries.ts';
import type { JobKind, JobRow } from './tables.ts';

/** How often a step may fail for a reason other than its rows before the job fails. */
const MAX_ATTEMPTS = 5;

/** Why a job fails then, for the client. */
const hopeless: Failure = {
  code: 'internal_error',
  message: 'The service failed five times to process the next rows. Try again with the others later.',
};

/** What a chunk has done: the columns to update, or why the job fails. */
export type Done<Job extends JobRow> = { changes: RowValues<Job>; isLast: boolean } | { failure: Failure };

/** A kind of jobs. */
export interface Kind<Job extends JobRow = JobRow> {
  resource: Resource<Job>;
  /** Throws 403 unless the principal has the scopes that the job needs. */
  requireScopes(principal: Principal, job: Job): void;
  /** Does the next chunk as the actor. Undefined if there is nothing to do yet. */
  runChunk(trx: Db, job: Job, context: { actor: Actor; logger: Logger }): Promise<Done<Job> | undefined>;
  /** As CleanUp. */
  cleanUp(...given: Parameters<CleanUp<Job>>): ReturnType<CleanUp<Job>>;
  /** Runs after the transaction of a chunk. */
  afterChunk?(db: Db, before: Job, after: Job): Promise<void>;
}

/** Those that a process knows. Another release may have others, and runs them itself. */
export type Kinds = { readonly [Name in JobKind]?: Kind };

interface Worker {
  db: Db;
  logger: Logger;
}

/**
 * Does the next chunk of a job, if its client may still do it. One transaction holds the rows and the progress, so that no row
 * is lost or done twice, even if the process is killed. Returns the job after that; undefined if there is none to work on.
 */
export async function runStep(worker: Worker, kinds: Kinds): Promise<JobRow | undefined> {
  const { db } = worker;
  let id: string | undefined;
  const running = db.transaction(async (trx) => {
    const job = await lockNext(trx, Object.keys(kinds));
    id = job?.id;
    const kind = job && kinds[job.kind];
    if (job === undefined || kind === undefined) return undefined;
    return { kind, before: job, after: await runLocked(trx, kind, job, worker) };
  });
  const step = await running.catch(async (error) => {
    if (id !== undefined && !isUnavailable(error)) await countFailure(db, kinds, id);
    throw error;
  });
  await step?.kind.afterChunk?.(db, step.before, step.after);
  return step?.after;
}

async function runLocked(trx: Db, kind: Kind, job: JobRow, { logger }: Worker): Promise<JobRow> {
  const grant = await checkGrant(trx, job, (principal) => kind.requireScopes(principal, job));
  const done = 'failure' in grant ? grant : await kind.runChunk(trx, job, { ...grant, logger });
  if (done === undefined) {
    await postpone(trx, job.id);
    return job;
  }
  if ('failure' in done) return endJob(trx, kind, job, 'failed', failureColumns(done.failure));
  const changes: RowValues<JobRow> = {
    status: 'running',
    ...(job.started_at === null && { started_at: NOW }),
    next_chunk: job.next_chunk + 1,
    attempts: 0,
    ...done.changes,
  };
  if (done.isLast) return endJob(trx, kind, job, 'completed', changes);
  return updateRow(trx, kind.resource, job.id, changes);
}

function countFailure(db: Db, kinds: Kinds, id: string): Promise<void> {
  return db.transaction(async (trx) => {
    const job = await lockNext(trx, Object.keys(kinds), id);
    const kind = job && kinds[job.kind];
    if (job === undefined || kind === undefined) return;
    const attempts = job.attempts + 1;
    if (attempts < MAX_ATTEMPTS) await updateRow(trx, kind.resource, job.id, { attempts });
    else await endJob(trx, kind, job, 'failed', { attempts, ...failureColumns(hopeless) });
  });
}
