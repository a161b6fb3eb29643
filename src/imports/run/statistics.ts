import type { Db } from '../../db/db.ts';
import { collectStatistics } from '../../jobs/statistics-queries.ts';
import type { ImportRow } from '../tables.ts';

/** Rows after which statistics are first collected. Then at every tenfold, and at the end. */
const FIRST = 2_000;

/** Collects statistics if an import has added many rows. */
export async function updateStatistics(db: Db, before: ImportRow, after: ImportRow): Promise<void> {
  const { dry_run, rows_done, status, options } = after;
  if (dry_run || rows_done < FIRST) return;
  const tenfold = (rows: number) => Math.floor(Math.log10(rows / FIRST));
  if (status !== 'completed' && tenfold(rows_done) === tenfold(before.rows_done)) return;
  await collectStatistics(db, options.resource);
}
