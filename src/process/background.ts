import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';

/** Periodic background work. It runs in each environment, in any number of processes. */
export interface Task {
  /** Logged when a run fails. It is retried after the interval. */
  readonly failure: string;
  /** Pause between runs. Milliseconds. */
  readonly interval: number;
  /** Whether it also runs in a copy of a database, since it only maintains what requests change. */
  readonly runsInCopies?: boolean;
  /** Returns true if there is more to do. A long run ends soon after the signal aborts. */
  run(context: Context, signal: AbortSignal): Promise<unknown>;
}

/**
 * Runs each task immediately, and then at its interval. Each has its own loop, so that a slow or failing task does not delay
 * the others. Returns the stop function, which resolves when the last run has ended.
 */
export function runInBackground(
  tasks: readonly Task[],
  context: Context,
  logger: Logger,
): () => Promise<unknown> {
  const stopping = new AbortController();
  const loops = tasks.map((task) => repeat(task, context, logger, stopping.signal));
  return () => {
    stopping.abort();
    return Promise.all(loops);
  };
}

/** How soon a task runs after it is allowed to. Milliseconds. */
const RECHECK_INTERVAL = 1_000;

async function repeat(task: Task, context: Context, logger: Logger, signal: AbortSignal): Promise<void> {
  let failedBefore = false;
  while (!signal.aborted) {
    if (!task.runsInCopies && !(await context.probe.mayWork())) {
      await pauseFor(RECHECK_INTERVAL, signal);
      continue;
    }
    const start = performance.now();
    const { hasMore, error } = await task.run(context, signal).then(
      (result) => ({ hasMore: result === true, error: undefined }),
      (reason: unknown) => ({ hasMore: false, error: reason }),
    );
    const failed = error !== undefined;
    // Log only the first failure in a row, not one per second while the database is down.
    if (failed && !failedBefore && !signal.aborted) {
      logger.warn({ err: error, environment: context.environment }, task.failure);
    }
    failedBefore = failed;
    // Even with more to do, a task runs at most half of the time.
    const pause = hasMore ? performance.now() - start : task.interval;
    await pauseFor(pause, signal);
  }
}

async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
