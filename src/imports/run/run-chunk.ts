import type { Db } from '../../db/db.ts';
import { isUnavailable } from '../../db/errors.ts';
import { updateRow } from '../../db/resource.ts';
import { NOW, type RowValues } from '../../db/row-statements.ts';
import { failureReasons } from '../import.ts';
import { deleteChunks, imports, lockChunk, lockNext } from '../queries.ts';
import type { ImportRow } from '../tables.ts';
import type { Checks } from './check-bodies.ts';
import { ErasedMeanwhile, importChunk, type Worker } from './import-chunk.ts';
import { updateStatistics } from './statistics.ts';

/** How often a chunk may fail for a reason other than its rows before the import fails. */
const MAX_ATTEMPTS = 5;

/**
 * Imports the next chunk of the oldest import, or of the one with this id (UUID). One transaction holds the rows and the
 * import's progress, so that no row is lost or duplicated. Returns the import; undefined if there is none, or another
 * process is running it.
 */
export async function runChunk(
  { db, logger }: Worker,
  checks: () => Promise<Checks>,
  wanted?: string,
): Promise<ImportRow | undefined> {
  let before: ImportRow | undefined;
  let after: ImportRow | undefined;
  try {
    after = await db.transaction(async (trx) => {
      const run = await lockNext(trx, wanted);
      if (run === undefined) return undefined;
      before = run;
      const chunk = await lockChunk(trx, run.id, run.next_chunk);
      if (chunk === undefined) await deleteChunks(trx, run.id, run.next_chunk);
      const progress =
        chunk === undefined
          ? failed(failureReasons.lostRows)
          : await importChunk({ db: trx, logger }, run, chunk, await checks());
      return updateRow(trx, imports, run.id, {
        ...(run.started_at === null && { started_at: NOW }),
        ...progress,
      });
    });
  } catch (error) {
    if (error instanceof ErasedMeanwhile) return runChunk({ db, logger }, checks, error.importId);
    if (before !== undefined && !isUnavailable(error)) await countFailure(db, before.id);
    throw error;
  }
  if (before !== undefined && after !== undefined) await updateStatistics(db, before, after);
  return after;
}

function countFailure(db: Db, id: string): Promise<void> {
  return db.transaction(async (trx) => {
    const run = await lockNext(trx, id);
    if (run === undefined) return;
    const attempts = run.attempts + 1;
    const isHopeless = attempts >= MAX_ATTEMPTS;
    await updateRow(trx, imports, id, {
      attempts,
      ...(isHopeless && failed(failureReasons.hopeless)),
    });
    if (isHopeless) await deleteChunks(trx, id, run.next_chunk);
  });
}

function failed(reason: string): RowValues<ImportRow> {
  return { status: 'failed', finished_at: NOW, failure_reason: reason };
}
