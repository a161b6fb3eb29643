import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isOutage } from '../db/errors.ts';
import type { Environment } from '../environment.ts';
import { explainError } from './explain.ts';

/** Pause between two attempts. Milliseconds. */
const INTERVAL = 500;
/** How long a first attempt may take before it is reported. Milliseconds. */
const SILENCE = 3_000;

interface WaitOptions {
  environment: Environment;
  /** Milliseconds. With a limit, only an outage is worth waiting for: a wrong password fails immediately. */
  limit: number;
  logger: Logger;
  /** Aborts when the process stops. */
  signal: AbortSignal;
  /** Called if the database is not ready yet. */
  onWait?: () => void;
}

/** Repeats an attempt to use a database until it succeeds, for example after a restart of the whole machine. */
export async function waitForDatabase<Result>(
  { environment, limit, logger, signal, onWait }: WaitOptions,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const isLimited = Number.isFinite(limit);
  const atMost = isLimited ? `, for at most ${limit / 1_000} seconds` : '';
  let reported: string | undefined;
  const report = (reason: string) => {
    // Without a limit, report each new reason too: the wait may go on for hours.
    const isNews = reported === undefined || (!isLimited && reason !== reported);
    if (isNews) logger.warn({ environment, reason }, `Waiting for the database${atMost}.`);
    reported = reason;
    onWait?.();
  };
  const silence = setTimeout(() => limit > 0 && report('It is not ready yet.'), SILENCE);
  try {
    for (;;) {
      try {
        const result = await unlessAborted(attempt(), signal);
        if (reported !== undefined) logger.info({ environment }, 'The database is ready.');
        return result;
      } catch (error) {
        const isFinal = isLimited && !isOutage(error);
        if (signal.aborted || isFinal || performance.now() - startedAt + INTERVAL > limit) throw error;
        report(explainError(error));
      }
      clearTimeout(silence);
      await sleep(INTERVAL, undefined, { signal });
    }
  } finally {
    clearTimeout(silence);
  }
}

/** Stops waiting on abort, so that a server that does not answer can't delay the shutdown. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort));
}
