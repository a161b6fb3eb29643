import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Lane, Queue } from '../db/queue.ts';

/** Jobs that are taken at once. A limit below may be exceeded by one batch less one. */
const BATCH = 24;
/** Deliveries under way in all. */
const MOST = 320;
/** Deliveries under way to one webhook. */
const MOST_EACH = 48;
/** The same to one that answers slowly, so that several of them together don't take all there is. */
const MOST_SLOW = 1;
/** Slower than this (milliseconds) is slow. */
const SLOW = 3_000;
/** How often jobs are looked for of which nothing was heard (milliseconds): later attempts, and those of killed workers. */
const INTERVAL = 1_000;

export interface Pump {
  /** There may be jobs to take. */
  wake(): void;
  /** Takes no more, and waits for what is under way, but no longer than `patience` milliseconds. */
  stop(patience: number): Promise<void>;
}

/**
 * Takes jobs as long as there are free places, and has them run, each with a promise of how many milliseconds its
 * receiver took. Places are counted for each webhook, and one that has no free place is passed over, so that a slow one
 * holds up nobody but itself.
 */
export function createPump(
  queue: Pick<Queue, 'take'>,
  start: (jobs: Job[]) => Promise<number>[],
  onError: (error: unknown) => void,
): Pump {
  const running = new Map<string, number>();
  const slow = new Set<string>();
  /** Those that the last look passed over. */
  let passedOver = new Set<string>();
  let isCrowded = false;
  const all = new Set<Promise<unknown>>();
  let pumping: Promise<void> | undefined;
  let wanted = false;
  let laterDue = true;
  let stopped = false;

  function wake(): void {
    wanted = true;
    pumping ??= pump().finally(() => {
      pumping = undefined;
    });
  }

  async function pump(): Promise<void> {
    while (wanted && !stopped) {
      wanted = false;
      try {
        await drain('first');
        if (laterDue) laterDue = await drain('later');
      } catch (error) {
        // The next look is a second away.
        onError(error);
      }
    }
  }

  /** Tells whether it found any. */
  async function drain(lane: Lane): Promise<boolean> {
    let found = false;
    let count = BATCH;
    while (count === BATCH && !stopped) {
      isCrowded = all.size > MOST - BATCH;
      if (isCrowded) break;
      passedOver = new Set([...running.keys()].filter(isFull));
      const jobs = await queue.take(lane, BATCH, [...passedOver]);
      count = jobs.length;
      found ||= count > 0;
      for (const [index, done] of start(jobs).entries()) follow(jobs[index]?.webhookId ?? '', done);
    }
    return found;
  }

  function isFull(id: string): boolean {
    return (running.get(id) ?? 0) >= (slow.has(id) ? MOST_SLOW : MOST_EACH);
  }

  function follow(id: string, job: Promise<number>): void {
    running.set(id, (running.get(id) ?? 0) + 1);
    const ended = job
      .then((duration) => void (duration > SLOW ? slow.add(id) : slow.delete(id)), onError)
      .finally(() => {
        all.delete(ended);
        const left = (running.get(id) ?? 1) - 1;
        if (left === 0) running.delete(id);
        else running.set(id, left);
        if (isCrowded || (passedOver.has(id) && !isFull(id))) wake();
      });
    all.add(ended);
  }

  const timer = setInterval(() => {
    laterDue = true;
    wake();
  }, INTERVAL);

  return {
    wake,
    async stop(patience) {
      stopped = true;
      clearInterval(timer);
      await Promise.race([
        Promise.resolve(pumping).then(() => Promise.all(all)),
        sleep(patience, undefined, { ref: false }),
      ]);
    },
  };
}
