import type { Logger } from 'pino';
import type { Actor } from '../../actor.ts';
import type { Db } from '../../db/db.ts';
import { failAlone } from '../../jobs/fail-alone.ts';
import type { Kind } from '../../jobs/run-step.ts';
import { anonymous } from '../../principal.ts';
import { Problem } from '../../problem.ts';
import type { Writer } from '../../resource/rules.ts';
import { toId } from '../../values/id.ts';
import { cleanUpBulkJob } from '../clean-up.ts';
import { requireScopesOf } from '../job.ts';
import { bulkJobs, readChunk } from '../queries.ts';
import type { BulkJobRow, Chunk } from '../tables.ts';
import { changeRows } from './change-rows.ts';
import { keepResults, type Outcome } from './keep-results.ts';

/** Updates, deletions and reassignments. */
export const bulkJobKind: Kind<BulkJobRow> = {
  resource: bulkJobs,
  requireScopes: requireScopesOf,
  async runChunk(trx, job, { actor, logger }) {
    const chunk = await readChunk(trx, job.id, job.next_chunk);
    // A job without rows.
    if (chunk === undefined) return { changes: {}, isLast: true };
    const outcomes = await processChunk({ logger, writer: writerOf(job, actor, trx) }, job, chunk);
    return keepResults(trx, job, chunk, outcomes);
  },
  cleanUp: cleanUpBulkJob,
};

async function processChunk(
  { logger, writer }: { logger: Logger; writer: Writer },
  job: BulkJobRow,
  chunk: Chunk,
): Promise<Outcome[]> {
  let unexpected: unknown;
  const outcomes = await failAlone<string, Outcome>(
    chunk.ids,
    (ids) => {
      // A savepoint: nothing remains of rows that fail together, or of a dry run.
      return writer.db.transaction(
        (db) => changeRows(job.options.action, chunk.resource, ids, { ...writer, db }),
        {
          dryRun: job.dry_run,
        },
      );
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

export function writerOf({ request_id: requestId }: BulkJobRow, actor: Actor, db: Db): Writer {
  return {
    db,
    actor,
    requestId,
    principal: anonymous,
    // Nobody waits for the response.
    maxRounds: Number.POSITIVE_INFINITY,
  };
}
