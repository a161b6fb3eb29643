import type { Logger } from 'pino';
import type { Db } from '../db/db.ts';
import type { Probe } from '../db/probe.ts';
import { type Kinds, runStep } from './run-step.ts';

/** Runs the jobs in turn. The table `jobs` is the queue: each process locks the row that it works on. */
export function jobTask(kinds: Kinds) {
  return {
    failure: 'A job failed; it will be retried.',
    interval: 1_000,
    async run(
      context: { db: Db; logger: Logger; probe: Pick<Probe, 'mayWork'> },
      signal: AbortSignal,
    ): Promise<void> {
      while (
        !signal.aborted &&
        (await context.probe.mayWork()) &&
        (await runStep(context, kinds)) !== undefined
      );
    },
  };
}
