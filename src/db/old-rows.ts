import type { Db } from './db.ts';
import { before, knex, sql } from './query.ts';

/** How long the rows of a table are kept. */
export interface Kept {
  table: string;
  /** The column with the time from which they are kept. The `id` contains the time when the row was made. */
  column: string;
  /** An interval of PostgreSQL. */
  period: string;
}

/** Deletes up to `limit` rows that were older than their period at `now`, the oldest first. Returns the number deleted. */
export async function deleteOldRows(
  db: Db,
  { table, column, period }: Kept,
  now: Date,
  limit: number,
): Promise<number> {
  const end = before(now, period);
  const old = knex(table)
    .where(column, '<', column === 'id' ? sql`uuid_bound(${end})` : end)
    .orderBy(column)
    .select('ctid')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const deleted = await db.run(
    knex.raw('delete from ?? where ctid = any (array (?)) returning 1', [table, old]),
  );
  return deleted.length;
}
