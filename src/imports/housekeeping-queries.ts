import type { Db } from '../db/db.ts';
import { before, knex } from '../db/query.ts';
import { deleteFound } from '../jobs/old-jobs-queries.ts';

const waiting = knex('jobs').whereRaw(`status in ('queued', 'running')`).select('id');

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
          .orWhere('import_id', 'not in', knex('jobs').select('id')),
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
