import type { Logger } from 'pino';
import type { Actor } from '../../actor.ts';
import type { Db } from '../../db/db.ts';
import { updateRow } from '../../db/resource.ts';
import { NOW } from '../../db/row-statements.ts';
import { failAlone } from '../../jobs/fail-alone.ts';
import { failureColumns } from '../../jobs/failure.ts';
import { type Queue, runStep } from '../../jobs/run-step.ts';
import { collectStatistics } from '../../jobs/statistics-queries.ts';
import { anonymous } from '../../principal.ts';
import { Problem } from '../../problem.ts';
import type { Writer } from '../../resource/rules.ts';
import { toId } from '../../values/id.ts';
import { ended } from '../ended.ts';
import { hopeless, requireScopesOf } from '../job.ts';
import { bulkJobs, deleteChunks, lockNext, readChunk } from '../queries.ts';
import type { BulkJobRow, Chunk } from '../tables.ts';
import { changeRows } from './change-rows.ts';
import { keepResults, type Outcome } from './keep-results.ts';
import { type SeedChunk, seedRows } from './seed-rows.ts';

interface Worker {
  db: Db;
  logger: Logger;
  /** Adds sample data. */
  seedChunk: SeedChunk;
}

/** Does the next step of a job. Returns the job; undefined if there is nothing to do. */
export async function runJob(worker: Worker): Promise<BulkJobRow | undefined> {
  const step = await runStep(worker.db, queueOf(worker));
  if (step !== undefined) await updateStatistics(worker.db, step.after);
  return step?.after;
}

/** Seeded rows that matter to the plans of queries. */
const MANY_ROWS = 2_000;

async function updateStatistics(db: Db, { kind, status, rows_done }: BulkJobRow): Promise<void> {
  if (kind !== 'seed' || status !== 'completed' || rows_done < MANY_ROWS) return;
  await collectStatistics(db, 'leads');
  await collectStatistics(db, 'contacts');
}

function queueOf({ logger, seedChunk }: Worker): Queue<BulkJobRow> {
  return {
    resource: bulkJobs,
    lockNext,
    requireScopes: requireScopesOf,
    async run(trx, job, actor) {
      if (job.kind === 'seed') return seedRows(trx, job, seedChunk);
      const chunk = await readChunk(trx, job.id, job.next_chunk);
      if (chunk === undefined) return endJob(trx, job);
      const outcomes = await processChunk({ logger, writer: writerOf(job, actor, trx) }, job, chunk);
      return keepResults(trx, job, chunk, outcomes);
    },
    async fail(trx, job, failure) {
      await deleteChunks(trx, job.id);
      return updateRow(trx, bulkJobs, job.id, { ...ended(job, 'failed'), ...failureColumns(failure) });
    },
    hopeless,
  };
}

/** A job without rows. */
function endJob(trx: Db, job: BulkJobRow): Promise<BulkJobRow> {
  return updateRow(trx, bulkJobs, job.id, { started_at: NOW, ...ended(job, 'completed') });
}

async function processChunk(
  { logger, writer }: Pick<Worker, 'logger'> & { writer: Writer },
  job: BulkJobRow,
  chunk: Chunk,
): Promise<Outcome[]> {
  let unexpected: unknown;
  const outcomes = await failAlone<string, Outcome>(
    chunk.ids,
    (ids) => {
      // A savepoint: nothing remains of rows that fail together, or of a dry run.
      return writer.db.transaction((db) => changeRows(job.action, chunk.resource, ids, { ...writer, db }), {
        dryRun: job.dry_run,
      });
    },
    (_id, error) => {
      unexpected ??= error;
      return {
        status: 'failed',
        error: new Problem('internal_error', 'The service could not change this row.'),
      };
    },
  );
  if (unexpected !== undefined) {
    logger.error({ job: toId('job', job.id), err: unexpected }, 'Rows of a bulk job failed unexpectedly.');
  }
  return outcomes;
}

function writerOf({ request_id: requestId }: BulkJobRow, actor: Actor, db: Db): Writer {
  return {
    db,
    actor,
    requestId,
    principal: anonymous,
    // Nobody waits for the response.
    maxRounds: Number.POSITIVE_INFINITY,
  };
}
