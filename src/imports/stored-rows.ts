import type { Db } from '../db/db.ts';
import { FirstRows } from '../table-files/first-rows.ts';
import { formatRow, parseRows } from '../table-files/stored-row.ts';
import { lockChunk } from './queries.ts';
import type { ImportRow } from './tables.ts';

/** The cells of the first rows that can be read, without what looks like a footer. The rows must be locked. */
export async function firstRows(
  db: Db,
  { id, options: { findings } }: Pick<ImportRow, 'id' | 'options'>,
): Promise<FirstRows['rows']> {
  const end = findings.doubts.find(({ code }) => code === 'footer')?.row ?? Number.POSITIVE_INFINITY;
  const first = new FirstRows();
  for (let number = 0; !first.isComplete; number += 1) {
    const chunk = await lockChunk(db, id, number);
    if (chunk === undefined) break;
    for (const stored of parseRows(chunk.rows)) {
      if (stored.row >= end) first.close();
      if (stored.isErased || stored.fault !== undefined) continue;
      first.add(stored.cells, formatRow(stored).length);
    }
  }
  return first.rows;
}
