import type { Db } from '../db/db.ts';
import { collectStatistics } from './queries.ts';
import type { ImportRow } from './tables.ts';

/** Rows that are done when statistics are first collected; then at each tenfold, and at the end. */
const FIRST = 2_000;

/** Tells PostgreSQL how many rows there are now, if an import has added many. */
export async function updateStatistics(db: Db, before: ImportRow, after: ImportRow): Promise<void> {
  const { dry_run, rows_done, status, resource } = after;
  if (dry_run || rows_done < FIRST) return;
  const tenfold = (rows: number) => Math.floor(Math.log10(rows / FIRST));
  if (status !== 'completed' && tenfold(rows_done) === tenfold(before.rows_done)) return;
  await collectStatistics(db, resource);
}
