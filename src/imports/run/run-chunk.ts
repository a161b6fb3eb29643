import type { Db } from '../../db/db.ts';
import { updateRow } from '../../db/resource.ts';
import { NOW } from '../../db/row-statements.ts';
import { type Failure, failureColumns } from '../../jobs/failure.ts';
import { type Queue, runStep } from '../../jobs/run-step.ts';
import { hopeless, lostRows } from '../import.ts';
import { requireScopesOf } from '../mapping/past-times.ts';
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
    resource: imports,
    lockNext,
    requireScopes: requireScopesOf,
    async run(trx, run, actor) {
      const chunk = await lockChunk(trx, run.id, run.next_chunk);
      if (chunk === undefined) return fail(trx, run, lostRows);
      return updateRow(trx, imports, run.id, {
        ...(run.started_at === null && { started_at: NOW }),
        ...(await importChunk({ db: trx, logger, actor }, run, chunk, await checks())),
      });
    },
    fail,
    hopeless,
    isHarmless: (error) => error instanceof ErasedMeanwhile,
  };
}

async function fail(trx: Db, { id, next_chunk }: ImportRow, failure: Failure): Promise<ImportRow> {
  await deleteChunks(trx, id, next_chunk);
  const failed = { status: 'failed', finished_at: NOW, ...failureColumns(failure) } as const;
  return updateRow(trx, imports, id, failed);
}
