import type { Db } from '../../db/db.ts';
import { findRow } from '../../db/resource.ts';
import { formatRows, parseRows } from '../../table-files/stored-row.ts';
import { imports, lockChunk, replaceRows } from '../queries.ts';
import { eraseRows } from './erased-rows.ts';
import {
  type ChunkKey,
  chunkAfter,
  deleteErasures,
  type Erasure,
  oldestErasures,
} from './erasure-queries.ts';

/** Erasures per call. */
const BATCH = 10_000;
/** Minimum age of an erasure: by then, rows that were being stored during it are stored. Seconds. */
const MIN_AGE = 30;

/**
 * Erases people from stored import rows, so that no draft, dry run or queued import brings a deleted lead or contact back.
 * Returns true if there may be more.
 */
export async function forgetErased(db: Db, minAge = MIN_AGE): Promise<boolean> {
  const erasures = await oldestErasures(db, BATCH, minAge);
  const latest = erasures.at(-1)?.erased_at;
  if (latest === undefined) return false;
  let chunk = await chunkAfter(db, undefined, latest);
  while (chunk !== undefined) {
    await eraseFromChunk(db, chunk, erasures);
    chunk = await chunkAfter(db, chunk, latest);
  }
  await deleteErasures(db, erasures);
  return erasures.length === BATCH;
}

async function eraseFromChunk(db: Db, key: ChunkKey, erasures: readonly Erasure[]): Promise<void> {
  await db.transaction(async (trx) => {
    const stored = await lockChunk(trx, key.import_id, key.number);
    if (stored === undefined) return;
    const later = erasures.filter(({ erased_at }) => erased_at >= stored.created_at);
    const hashes = new Set(later.map(({ hash }) => hash));
    const run = await findRow(trx, imports, key.import_id);
    const rows = await eraseRows(parseRows(stored.rows), run?.options, async () => hashes);
    const text = formatRows(rows);
    if (text !== stored.rows) await replaceRows(trx, key.import_id, key.number, text);
  });
}
