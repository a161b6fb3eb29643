import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { before, knex } from '../db/query.ts';

/** Maximum ended jobs of one client that are kept, their errors and warnings, and the rows of its imports. */
const MAX_JOBS = 10_000;
const MAX_ERRORS = 1_000_000;
const MAX_ROWS = 10_000_000;
/** Rows of imports deleted per batch. */
const ROW_BATCH = 20_000;

/** Deletes the rows whose ctid the query returns. Returns the number deleted. */
export async function deleteFound(db: Db, table: string, found: Knex.QueryBuilder): Promise<number> {
  const deletion = knex.raw('delete from ?? where ctid = any(array(?)) returning 1', [table, found]);
  return (await db.run(deletion)).length;
}

/**
 * Deletes jobs that were 90 days old at `now` (replays: that ended 30 days before), with their errors, and the oldest ended
 * ones of a client with too many. Imports that can still be started are bounded when they are created. An import may have a
 * million rows: they are deleted first, in batches. Returns the number of jobs and rows that were deleted.
 */
export async function deleteOldJobs(db: Db, now: Date, limit: number): Promise<number> {
  const old = await oldJobs(db, now, limit);
  const rows = knex('import_rows').whereIn('id', old).select('ctid').limit(ROW_BATCH);
  const deleted = await deleteFound(db, 'import_rows', rows);
  if (deleted === ROW_BATCH) return deleted;
  return deleted + (await deleteFound(db, 'jobs', knex('jobs').whereIn('id', old).select('ctid')));
}

async function oldJobs(db: Db, now: Date, limit: number): Promise<string[]> {
  const found = await db.run<{ id: string }>(
    knex.raw(
      `select id from (
         select id, kind, created_at, finished_at, row_number() over latest as place,
           sum(case kind when 'import' then rows_done end) over latest as rows,
           sum(errors_kept + warnings_kept) over latest as errors
         from jobs
         where status in ('cancelled', 'failed') or (status = 'completed' and not (kind = 'import' and dry_run))
           or (kind = 'import' and status in ('draft', 'completed') and created_at < ?)
         window latest as (partition by actor_id order by created_at desc, id desc)
       ) as ended
       where created_at < ? or (kind = 'replay' and finished_at < ?) or place > ? or errors > ? or rows > ? limit ?`,
      [
        ...[before(now, '7 days'), before(now, '90 days'), before(now, '30 days')],
        ...[MAX_JOBS, MAX_ERRORS, MAX_ROWS, limit],
      ],
    ),
  );
  return found.map(({ id }) => id);
}
