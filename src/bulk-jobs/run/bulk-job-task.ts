import type { Logger } from 'pino';
import type { Db } from '../../db/db.ts';
import type { Probe } from '../../db/probe.ts';
import { runJob } from './run-job.ts';
import type { SeedChunk } from './seed-rows.ts';

/** Runs the jobs in turn. The table `bulk_jobs` is the queue: each process locks the row that it works on. */
export function bulkJobTask(seedChunk: SeedChunk) {
  return {
    failure: 'A bulk job failed; it will be retried.',
    interval: 1_000,
    async run(
      { db, logger, probe }: { db: Db; logger: Logger; probe: Pick<Probe, 'mayWork'> },
      signal: AbortSignal,
    ): Promise<void> {
      while (
        !signal.aborted &&
        (await probe.mayWork()) &&
        (await runJob({ db, logger, seedChunk })) !== undefined
      );
    },
  };
}
