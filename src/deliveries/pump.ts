import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptKind, Lane, Queue } from '../db/queue.ts';

/** Deliveries under way to one webhook. Each has these places for itself, so that it can hold up nobody but itself. */
const MAX_EACH = 64;
/** So many places are filled at once, or more. */
const BATCH = 24;
/** Deliveries under way in all: more than the webhooks that there can be have places. */
const MOST = 1_300;
/** How often jobs are looked for of which nothing was heard (milliseconds): later attempts, and those of killed workers. */
const INTERVAL = 1_000;

export interface Pump {
  /** There may be jobs to take. */
  wake(): void;
  /** Takes no more, and waits for what is under way, but no longer than `patience` milliseconds. */
  stop(patience: number): Promise<void>;
}

/** Takes jobs of each webhook as long as it has free places, and has them run. */
export function createPump(
  queue: Pick<Queue, 'lanes' | 'take'>,
  start: (deliveryIds: string[]) => Promise<void>[],
  onError: (error: unknown) => void,
): Pump {
  /** How many are under way, by webhook. */
  const running = new Map<Lane['webhook'], number>();
  /** Webhooks that may have more jobs than they had places. */
  const full = new Set<Lane['webhook']>();
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

  /** Fills the places of each webhook. Tells whether it found any jobs. */
  async function drain(turn: AttemptKind): Promise<boolean> {
    let found = false;
    for (const lane of await queue.lanes(turn)) {
      const places = placesOf(lane.webhook);
      const ids = places > 0 && !stopped ? await queue.take(lane, places) : [];
      if (ids.length === places) full.add(lane.webhook);
      if (ids.length === 0) continue;
      found = true;
      for (const done of start(ids)) follow(lane.webhook, done);
    }
    return found;
  }

  function placesOf(webhook: Lane['webhook']): number {
    const free = Math.min(MAX_EACH - (running.get(webhook) ?? 0), MOST - all.size);
    return free < BATCH ? 0 : free;
  }

  function follow(webhook: Lane['webhook'], job: Promise<void>): void {
    running.set(webhook, (running.get(webhook) ?? 0) + 1);
    const ended = job.catch(onError).finally(() => {
      all.delete(ended);
      const left = (running.get(webhook) ?? 1) - 1;
      if (left === 0) running.delete(webhook);
      else running.set(webhook, left);
      if (placesOf(webhook) > 0 && full.delete(webhook)) wake();
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
