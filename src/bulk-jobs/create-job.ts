import { type Db, first, one } from '../db/db.ts';
import type { RowValues } from '../db/row-statements.ts';
import { grantColumns } from '../jobs/grant.ts';
import type { OperationContext } from '../operation.ts';
import { Problem } from '../problem.ts';
import { noCounts } from './job.ts';
import { bulkJobs, unended } from './queries.ts';
import type { BulkJobOptions, BulkJobRow, JobResource, Progress } from './tables.ts';

/** Maximum unended jobs of a client, and their rows. */
const MAX_JOBS = 100;
const MAX_ROWS = 10_000_000;
/** Seconds until a job may have run. */
const RETRY_AFTER = '30';

/** What a client asks for, with the number of rows in each resource. */
type NewJob = Pick<BulkJobRow, 'id' | 'kind' | 'dry_run'> & {
  options: Pick<BulkJobOptions, 'filter' | 'action'> & Partial<BulkJobOptions>;
  exclusive_key?: string;
  totals: Partial<Record<JobResource, number>>;
};

type Creator = Pick<OperationContext, 'db' | 'principal' | 'actor' | 'requestId'>;

/** Stores a job whose chunks are stored. Throws 429 if its client has too many rows to process. */
export async function createJob(job: NewJob, creator: Creator): Promise<BulkJobRow> {
  await requireRoom(creator, totalOf(job));
  return storeJob(job, creator);
}

/** The same without a limit of rows, for what an administrator does to all of them. */
export function storeJob(job: NewJob, creator: Creator): Promise<BulkJobRow> {
  return one(creator.db, insertion(job, creator));
}

/** Like createJob(), but returns undefined if an unfinished job with the same seed exists. */
export async function tryToCreateJob(job: NewJob, creator: Creator): Promise<BulkJobRow | undefined> {
  await requireRoom(creator, totalOf(job));
  return first(creator.db, insertion(job, creator));
}

function insertion({ totals, options, ...job }: NewJob, creator: Creator) {
  const progress = Object.entries(totals).map(([resource, total]): [string, Progress] => [
    resource,
    { total, done: 0, counts: noCounts },
  ]);
  const row: RowValues<BulkJobRow> = {
    ...job,
    status: 'queued',
    options: { redacted: [], ...options },
    resources: Object.keys(totals) as JobResource[],
    rows_total: totalOf({ totals }),
    counts: Object.fromEntries(progress),
    ...grantColumns(creator),
    request_id: creator.requestId,
  };
  return bulkJobs.statements.insert(row);
}

function totalOf({ totals }: Pick<NewJob, 'totals'>): number {
  return Object.values(totals).reduce((sum, total) => sum + total, 0);
}

/** Throws 429 if the client has no room for a job of this many rows. */
export async function requireRoom(
  { db, principal }: { db: Db } & Pick<Creator, 'principal'>,
  wanted = 0,
): Promise<void> {
  const { jobs, rows } = await unended(db, principal.clientId);
  const message =
    jobs >= MAX_JOBS
      ? `You have ${MAX_JOBS} jobs that have not ended, which is the maximum. Wait for them, or cancel some.`
      : `Your jobs that have not ended would have ${(rows + wanted).toLocaleString('en')} rows with this one; the maximum is ${MAX_ROWS.toLocaleString('en')}. Wait for them, cancel some, or narrow the filter.`;
  if (jobs < MAX_JOBS && rows + wanted <= MAX_ROWS) return;
  throw new Problem('bulk_job_limit_reached', message, { headers: { 'Retry-After': RETRY_AFTER } });
}
