import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptKind, Lane, Queue } from '../db/queue.ts';

/** Maximum running deliveries per webhook. Slots are not shared, so that a slow webhook delays only itself. */
const MAX_PER_WEBHOOK = 64;
/** Minimum number of free slots to fill at once. */
const MIN_BATCH = 24;
/** Maximum running deliveries in total: more than the slots of the maximum number of webhooks. */
const MAX_TOTAL = 1_300;
/** Milliseconds between polls for jobs without a notification: later attempts, and jobs of killed workers. */
const POLL_INTERVAL = 1_000;

export interface Pump {
  /** Call when there may be new jobs. */
  wake(): void;
  /** Takes no more jobs, and waits up to `timeout` milliseconds for running ones. */
  stop(timeout: number): Promise<void>;
}

/** Takes and starts jobs of each webhook while it has free slots. */
export function createPump(
  queue: Pick<Queue, 'lanes' | 'take'>,
  start: (deliveryIds: string[]) => Promise<void>[],
  onError: (error: unknown) => void,
): Pump {
  /** Number of running deliveries, by webhook. */
  const running = new Map<Lane['webhook'], number>();
  /** Webhooks that may have more jobs than they had free slots. */
  const full = new Set<Lane['webhook']>();
  const inFlight = new Set<Promise<unknown>>();
  let pumping: Promise<void> | undefined;
  let isWoken = false;
  let isLaterDue = true;
  let isStopped = false;

  function wake(): void {
    isWoken = true;
    pumping ??= pump().finally(() => {
      pumping = undefined;
    });
  }

  async function pump(): Promise<void> {
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        await drain('first');
        if (isLaterDue) isLaterDue = await drain('later');
      } catch (error) {
        // The next poll is at most a second away.
        onError(error);
      }
    }
  }

  /** Fills the free slots of each webhook. Returns whether it found any jobs. */
  async function drain(kind: AttemptKind): Promise<boolean> {
    let found = false;
    for (const lane of await queue.lanes(kind)) {
      const slots = freeSlots(lane.webhook);
      const ids = slots > 0 && !isStopped ? await queue.take(lane, slots) : [];
      if (ids.length === slots) full.add(lane.webhook);
      if (ids.length === 0) continue;
      found = true;
      for (const done of start(ids)) track(lane.webhook, done);
    }
    return found;
  }

  function freeSlots(webhook: Lane['webhook']): number {
    const free = Math.min(MAX_PER_WEBHOOK - (running.get(webhook) ?? 0), MAX_TOTAL - inFlight.size);
    return free < MIN_BATCH ? 0 : free;
  }

  function track(webhook: Lane['webhook'], job: Promise<void>): void {
    running.set(webhook, (running.get(webhook) ?? 0) + 1);
    const ended = job.catch(onError).finally(() => {
      inFlight.delete(ended);
      const left = (running.get(webhook) ?? 1) - 1;
      if (left === 0) running.delete(webhook);
      else running.set(webhook, left);
      if (freeSlots(webhook) > 0 && full.delete(webhook)) wake();
    });
    inFlight.add(ended);
  }

  const timer = setInterval(() => {
    isLaterDue = true;
    wake();
  }, POLL_INTERVAL);

  return {
    wake,
    async stop(timeout) {
      isStopped = true;
      clearInterval(timer);
      await Promise.race([
        Promise.resolve(pumping).then(() => Promise.all(inFlight)),
        sleep(timeout, undefined, { ref: false }),
      ]);
    },
  };
}
