import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { makeDigests } from './analytics/digests.ts';
import type { Context } from './context.ts';

/** Between two looks for days to digest (milliseconds). */
const INTERVAL = 10_000;

/** Keeps up the digests that the reports are made of, resting as long as it works. Returns how to end it. */
export function startDigesting(contexts: readonly Context[], logger: Logger): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});

  async function digest({ db, environment }: Context): Promise<void> {
    while (!signal.aborted) {
      try {
        await makeDigests(db, async (took) => {
          await pause(took);
          return !signal.aborted;
        });
      } catch (error) {
        logger.warn({ err: error, environment }, 'Days could not be digested for the reports; tried again.');
      }
      await pause(INTERVAL);
    }
  }

  const running = Promise.all(contexts.map(digest));
  return async () => {
    ending.abort();
    await running;
  };
}
