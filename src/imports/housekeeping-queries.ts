import type { Db } from '../db/db.ts';
import { knex, type Query } from '../db/query.ts';

/** Deletes the rows that the query finds by ctid. Returns how many. */
async function deleteFound(db: Db, table: string, found: Query<unknown>): Promise<number> {
  const deletion = knex.raw('delete from ?? where ctid = any(array(?)) returning 1', [table, found as never]);
  return (await db.run(deletion)).length;
}

const waiting = knex('imports').whereRaw(`status in ('queued', 'running')`).select('id');

/**
 * Deletes chunks that no import can use any more: of an upload that ended without one, of an import that has ended, and
 * those of drafts and dry runs after a week.
 */
export function deleteOldChunks(db: Db, limit: number): Promise<number> {
  const startable = knex('imports')
    .whereRaw(`status = 'draft' or status = 'completed' and dry_run`)
    .select('id');
  return deleteFound(
    db,
    'import_chunks',
    knex('import_chunks')
      .whereRaw(`created_at < now() - interval '1 hour'`)
      .where('import_id', 'not in', waiting)
      .where((old) =>
        old.whereRaw(`created_at < now() - interval '7 days'`).orWhere('import_id', 'not in', startable),
      )
      .select('ctid')
      .limit(limit),
  );
}

/** Deletes what dry runs that have ended remembered. */
export function deleteOldKeys(db: Db, limit: number): Promise<number> {
  const old = knex('import_keys').where('import_id', 'not in', waiting).select('ctid').limit(limit);
  return deleteFound(db, 'import_keys', old);
}

/** Deletes imports after 90 days, with their errors. */
export function deleteOldImports(db: Db, limit: number): Promise<number> {
  const old = knex('imports')
    .whereRaw(`created_at < now() - interval '90 days'`)
    .where('id', 'not in', waiting)
    .select('ctid')
    .limit(limit);
  return deleteFound(db, 'imports', old);
}
