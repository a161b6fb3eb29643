import { noCounts, requireScopesOf } from '../bulk-jobs/job.ts';
import { bulkJobs } from '../bulk-jobs/queries.ts';
import type { BulkJobRow } from '../bulk-jobs/tables.ts';
import type { Failure } from '../jobs/failure.ts';
import type { Kind } from '../jobs/run-step.ts';
import { collectStatistics } from '../jobs/statistics-queries.ts';
import { Problem } from '../problem.ts';
import type { Counts } from './queries.ts';
import { lastPart, seedPart } from './seed.ts';

/** Seeded rows that matter to the plans of queries. */
const MANY_ROWS = 2_000;

/** Seeds, which fail if their data is there already. */
export const seedKind: Kind<BulkJobRow> = {
  resource: bulkJobs,
  requireScopes: requireScopesOf,
  async runChunk(trx, job) {
    const { id, options, request_id: requestId, created_at, next_chunk: part } = job;
    const { seed = { seed: 0, leads: 0 } } = options.action;
    try {
      const added = await seedPart(trx, { ...seed, id, requestId, now: Date.parse(created_at) }, part);
      return { changes: progressOf(job, added), isLast: part >= lastPart(seed) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { failure: { code: error.code as Failure['code'], message: error.message } };
    }
  },
  cleanUp: async () => ({}),
  async afterChunk(db, _before, { status, rows_done }) {
    if (status !== 'completed' || rows_done < MANY_ROWS) return;
    await collectStatistics(db, 'leads');
    await collectStatistics(db, 'contacts');
  },
};

function progressOf(job: BulkJobRow, added: Counts): Pick<BulkJobRow, 'rows_done' | 'counts'> {
  const counts = { ...job.counts };
  let rowsDone = job.rows_done;
  for (const resource of job.resources) {
    const { total = 0, done = 0, counts: before = noCounts } = counts[resource] ?? {};
    const rows = added[resource];
    counts[resource] = {
      total: Math.max(total, done + rows),
      done: done + rows,
      counts: { ...before, created: before.created + rows },
    };
    // The job's total doesn't know how many leads have contacts.
    if (resource !== 'contacts') rowsDone += rows;
  }
  return { rows_done: rowsDone, counts };
}
