import type { Db } from '../../db/db.ts';
import { updateRow } from '../../db/resource.ts';
import { NOW, type RowValues } from '../../db/row-statements.ts';
import { type Queue, runStep } from '../../jobs/run-step.ts';
import { failureReasons } from '../import.ts';
import { deleteChunks, imports, lockChunk, lockNext } from '../queries.ts';
import type { ImportRow } from '../tables.ts';
import type { Checks } from './check-bodies.ts';
import { ErasedMeanwhile, importChunk, type Worker } from './import-chunk.ts';
import { updateStatistics } from './statistics.ts';

/**
 * Imports a chunk of the next import, or of the one with this id (UUID). Returns the import; undefined if there is
 * none, or another process is running it.
 */
export async function runChunk(
  worker: Worker,
  checks: () => Promise<Checks>,
  wanted?: string,
): Promise<ImportRow | undefined> {
  try {
    const step = await runStep(worker.db, queueOf(worker, checks), wanted);
    if (step !== undefined) await updateStatistics(worker.db, step.before, step.after);
    return step?.after;
  } catch (error) {
    if (error instanceof ErasedMeanwhile) return runChunk(worker, checks, error.importId);
    throw error;
  }
}

function queueOf({ logger }: Worker, checks: () => Promise<Checks>): Queue<ImportRow> {
  return {
    lockNext,
    async run(trx, run) {
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
    },
    countFailure,
    isHarmless: (error) => error instanceof ErasedMeanwhile,
  };
}

async function countFailure(trx: Db, { id, next_chunk }: ImportRow, attempts: number, isHopeless: boolean) {
  await updateRow(trx, imports, id, { attempts, ...(isHopeless && failed(failureReasons.hopeless)) });
  if (isHopeless) await deleteChunks(trx, id, next_chunk);
}

function failed(reason: string): RowValues<ImportRow> {
  return { status: 'failed', finished_at: NOW, failure_reason: reason };
}
