import type { Db } from '../db/db.ts';
import { formatRows, parseRows } from '../table-files/stored-row.ts';
import { deleteChunk, findLastChunk, lockChunk, replaceRows } from './queries.ts';
import type { ImportRow } from './tables.ts';

/** Deletes the stored rows of a doubtful footer. Returns their numbers in the file. */
export async function leaveOutFooter(
  db: Db,
  { id, options: { findings } }: Pick<ImportRow, 'id' | 'options'>,
): Promise<number[]> {
  const begin = findings.doubts.find(({ code }) => code === 'footer')?.row ?? Number.POSITIVE_INFINITY;
  const left: number[] = [];
  for (let number = (await findLastChunk(db, id)) ?? -1; number >= 0; number -= 1) {
    const chunk = await lockChunk(db, id, number);
    const rows = parseRows(chunk?.rows ?? '[]');
    const kept = rows.filter(({ row }) => row < begin);
    if (kept.length === rows.length) break;
    left.unshift(...rows.slice(kept.length).map(({ row }) => row));
    if (kept.length === 0) await deleteChunk(db, id, number);
    else await replaceRows(db, id, number, formatRows(kept));
  }
  return left;
}
