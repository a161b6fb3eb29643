import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { before, knex } from '../db/query.ts';

/** Deletes the rows whose ctid the query returns. Returns the number deleted. */
async function deleteFound(db: Db, table: string, found: Knex.QueryBuilder | Knex.Raw): Promise<number> {
  const deletion = knex.raw('delete from ?? where ctid = any(array(?)) returning 1', [table, found]);
  return (await db.run(deletion)).length;
}

const waiting = knex('imports').whereRaw(`status in ('queued', 'running')`).select('id');

/**
 * Deletes chunks that nobody needed any more at `now`: of aborted uploads, and after a week those of drafts and dry runs, and
 * rejected rows.
 */
export function deleteOldChunks(db: Db, now: Date, limit: number): Promise<number> {
  return deleteFound(
    db,
    'import_chunks',
    knex('import_chunks')
      .where('created_at', '<', before(now, '1 hour'))
      .where('import_id', 'not in', waiting)
      .where((old) =>
        old
          .where('created_at', '<', before(now, '7 days'))
          .orWhere('import_id', 'not in', knex('imports').select('id')),
      )
      .select('ctid')
      .limit(limit),
  );
}

/** Deletes the keys that ended dry runs have stored. */
export function deleteOldKeys(db: Db, limit: number): Promise<number> {
  const old = knex('import_keys').where('import_id', 'not in', waiting).select('ctid').limit(limit);
  return deleteFound(db, 'import_keys', old);
}

/** Maximum ended imports of one client that are kept, their errors and warnings, and their rows. */
const MAX_IMPORTS = 10_000;
const MAX_ERRORS = 1_000_000;
const MAX_ROWS = 10_000_000;
/** Rows deleted per batch. */
const ROW_BATCH = 20_000;

/**
 * Deletes imports that were 90 days old at `now`, with their errors, and the oldest ended ones of a client with too many.
 * Imports that can still be started are bounded when they are created. An import may have a million rows: they are deleted
 * first, in batches. Returns the number of imports and their rows that were deleted.
 */
export async function deleteOldImports(db: Db, now: Date, limit: number): Promise<number> {
  const old = await oldImports(db, now, limit);
  const rows = knex('import_rows').whereIn('id', old).select('ctid').limit(ROW_BATCH);
  const deleted = await deleteFound(db, 'import_rows', rows);
  if (deleted === ROW_BATCH) return deleted;
  return deleted + (await deleteFound(db, 'imports', knex('imports').whereIn('id', old).select('ctid')));
}

async function oldImports(db: Db, now: Date, limit: number): Promise<string[]> {
  const old = knex.raw(
    `select id from (
       select id, created_at, row_number() over latest as place, sum(rows_done) over latest as rows,
         sum(errors_kept + warnings_kept) over latest as errors
       from imports
       where status in ('cancelled', 'failed') or (status = 'completed' and not dry_run)
         or (status in ('draft', 'completed') and created_at < ?)
       window latest as (partition by actor_id order by created_at desc, id desc)
     ) as ended
     where created_at < ? or place > ? or errors > ? or rows > ? limit ?`,
    [before(now, '7 days'), before(now, '90 days'), MAX_IMPORTS, MAX_ERRORS, MAX_ROWS, limit],
  );
  return (await db.run<{ id: string }>(old)).map(({ id }) => id);
}
