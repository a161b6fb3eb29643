import type { Logger } from 'pino';
import type { Db } from '../../db/db.ts';
import type { Probe } from '../../db/probe.ts';
import type { Checks } from './check-bodies.ts';
import { runChunk } from './run-chunk.ts';

/** Imports the files in turn. The table `imports` is the queue: each process locks the row that it works on. */
export function importTask(checks: () => Promise<Checks>) {
  return {
    failure: 'An import failed; it will be retried.',
    interval: 1_000,
    async run(
      context: { db: Db; logger: Logger; probe: Pick<Probe, 'mayWork'> },
      signal: AbortSignal,
    ): Promise<void> {
      while (
        !signal.aborted &&
        (await context.probe.mayWork()) &&
        (await runChunk(context, checks)) !== undefined
      );
    },
  };
}
