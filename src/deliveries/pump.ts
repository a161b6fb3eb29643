import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from './attempt.ts';
import type { PendingDelivery, SendingSlots } from './queries.ts';

/** Maximum running deliveries per webhook. Slots are not shared, so that a slow webhook delays only itself. */
const MAX_PER_WEBHOOK = 64;
/** Minimum number of free slots to fill at once. */
const MIN_BATCH = 12;
/** Maximum running deliveries in total: more than the slots of the maximum number of webhooks. */
const MAX_TOTAL = 1_300;
/** Milliseconds between polls for deliveries without a notification: later attempts, and those of killed workers. */
const POLL_INTERVAL = 1_000;

/** A delivery that this worker has taken. `message` is undefined if the event is no longer kept. */
export interface Job {
  delivery: PendingDelivery;
  message: Message | undefined;
}

/** Takes and runs deliveries of each webhook while it has free slots. */
export function createPump(
  take: (slots: SendingSlots) => Promise<Job[]>,
  deliver: (job: Job) => Promise<void>,
  onError: (error: unknown) => void,
) {
  const running = new Map<string, Promise<void>>();
  /** Number of running deliveries, by webhook. */
  const counts = new Map<string, number>();
  /** Webhooks that may have more deliveries than they had free slots. */
  const full = new Set<string>();
  let pumping: Promise<void> | undefined;
  let isWoken = false;
  let isStopped = false;

  /** Call when there may be new deliveries. */
  function wake(): void {
    isWoken = true;
    pumping ??= pump();
  }

  async function pump(): Promise<void> {
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        await fillSlots();
      } catch (error) {
        // The next poll is at most a second away.
        onError(error);
      }
    }
    pumping = undefined;
  }

  async function fillSlots(): Promise<void> {
    const slots = new Map([...counts.keys()].map((webhook) => [webhook, freeSlots(webhook)]));
    for (const [webhook, free] of slots) if (free === 0) full.add(webhook);
    const jobs = await take({
      perWebhook: MAX_PER_WEBHOOK,
      ofBusyWebhooks: slots,
      total: MAX_TOTAL - running.size,
    });
    for (const job of jobs) start(job);
    const taken = Map.groupBy(jobs, ({ delivery }) => delivery.webhook_id);
    for (const [webhook, { length }] of taken) {
      if (length === (slots.get(webhook) ?? MAX_PER_WEBHOOK)) full.add(webhook);
    }
  }

  function freeSlots(webhook: string): number {
    const free = MAX_PER_WEBHOOK - (counts.get(webhook) ?? 0);
    return free < MIN_BATCH ? 0 : free;
  }

  function start(job: Job): void {
    const { id, webhook_id: webhook } = job.delivery;
    // Leased again, because its lease ended while the database was unreachable.
    if (running.has(id)) return;
    counts.set(webhook, (counts.get(webhook) ?? 0) + 1);
    const ended = deliver(job)
      .catch(onError)
      .finally(() => {
        running.delete(id);
        const left = (counts.get(webhook) ?? 1) - 1;
        if (left === 0) counts.delete(webhook);
        else counts.set(webhook, left);
        if (freeSlots(webhook) > 0 && full.delete(webhook)) wake();
      });
    running.set(id, ended);
  }

  const timer = setInterval(wake, POLL_INTERVAL);

  return {
    wake,
    /** Ids of the running deliveries. */
    running: () => [...running.keys()],
    /** Takes no more deliveries, and waits up to `timeout` milliseconds for running ones. */
    async stop(timeout: number) {
      isStopped = true;
      clearInterval(timer);
      await Promise.race([
        Promise.resolve(pumping).then(() => Promise.all(running.values())),
        sleep(timeout, undefined, { ref: false }),
      ]);
    },
  };
}
