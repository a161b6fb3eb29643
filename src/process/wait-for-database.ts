import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isOutage } from '../db/errors.ts';
import type { Environment } from '../environment.ts';
import { explainError } from './explain.ts';

/** Milliseconds between two attempts. */
const INTERVAL = 500;
/** A first attempt without an answer is told after so many milliseconds. */
const SILENCE = 3_000;

type Reach = <Result>(environment: Environment, attempt: () => Promise<Result>) => Promise<Result>;

interface WaitOptions {
  /** Milliseconds. */
  limit: number;
  logger: Logger;
  /** Aborts when the process is to stop. */
  signal: AbortSignal | undefined;
}

/**
 * Returns a function that tries to reach a database until it is there, as after a restart of the whole machine. What no
 * waiting mends, such as a wrong password or a missing database, fails immediately.
 */
export function waitForDatabase({ limit, logger, signal }: WaitOptions): Reach {
  return async (environment, attempt) => {
    const startedAt = performance.now();
    let isTold = false;
    const tell = (reason: string) => {
      if (!isTold) {
        const seconds = limit / 1_000;
        logger.warn({ environment, reason }, `Waiting for the database, for at most ${seconds} seconds.`);
      }
      isTold = true;
    };
    const silence = setTimeout(() => limit > 0 && tell('It does not answer.'), SILENCE);
    try {
      for (;;) {
        try {
          const result = await unlessAborted(attempt(), signal);
          if (isTold) logger.info({ environment }, 'The database is there.');
          return result;
        } catch (error) {
          if (!isOutage(error) || performance.now() - startedAt + INTERVAL > limit) throw error;
          tell(explainError(error));
        }
        await sleep(INTERVAL, undefined, signal && { signal });
      }
    } finally {
      clearTimeout(silence);
    }
  };
}

/** A server that does not answer would hold up the stop. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort));
}
