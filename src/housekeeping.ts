import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { deleteExpiredRevocations } from './auth/queries.ts';
import type { Context } from './context.ts';
import { deleteExpiredKeys } from './db/idempotency-queries.ts';
import type { Db } from './db/knex.ts';
import { foldLeadCounts } from './db/lead-count-queries.ts';
import { deleteExpiredEvents, dropExpiredDays, prepareDays } from './events/retention.ts';
import { makeRoom } from './inbound-hooks/make-room.ts';
import { deleteOldInboundDeliveries, deleteOrphanedInboundDeliveries } from './inbound-hooks/queries.ts';
import { deleteExpiredSecrets, deleteOldDeliveries, deleteOrphanedDeliveries } from './webhooks/queries.ts';

const HOUR = 60 * 60_000;

interface Task {
  /** Logged when the task fails. It is retried after the interval. */
  failure: string;
  /** Pause between runs. Milliseconds. */
  interval: number;
  /** Stops early when the signal aborts. */
  run(db: Db, signal: AbortSignal): Promise<unknown>;
}

/** Rows deleted per batch. Small enough that a batch takes a fraction of a second and blocks no one. */
const BATCH_SIZE = 1_000;
/** Rows deleted per batch where a row may be one megabyte. */
const PAYLOAD_BATCH_SIZE = 50;

/** Deletes in batches. Pauses after each for as long as it took, so that it uses at most half of the time. */
function inBatches(
  deleteBatch: (db: Db, limit: number) => Promise<number>,
  limit = BATCH_SIZE,
): Pick<Task, 'interval' | 'run'> {
  return {
    interval: HOUR,
    async run(db, signal) {
      for (let deleted = limit; deleted >= limit && !signal.aborted; ) {
        const start = performance.now();
        deleted = await deleteBatch(db, limit);
        if (deleted >= limit) await pause(performance.now() - start, signal);
      }
    },
  };
}

/** Each task runs in its own loop, so that a failing one does not delay the others. */
const tasks: readonly Task[] = [
  { failure: 'Expired idempotency keys could not be deleted.', ...inBatches(deleteExpiredKeys) },
  { failure: 'Expired revocations could not be deleted.', ...inBatches(deleteExpiredRevocations) },
  {
    failure: 'Expired webhook secrets could not be deleted.',
    interval: HOUR,
    run: deleteExpiredSecrets,
  },
  { failure: 'Old deliveries could not be deleted.', ...inBatches(deleteOldDeliveries) },
  { failure: 'Deliveries of deleted webhooks could not be deleted.', ...inBatches(deleteOrphanedDeliveries) },
  {
    failure: 'Old inbound deliveries could not be deleted.',
    ...inBatches(deleteOldInboundDeliveries, PAYLOAD_BATCH_SIZE),
  },
  {
    failure: 'Inbound deliveries of deleted hooks could not be deleted.',
    ...inBatches(deleteOrphanedInboundDeliveries, PAYLOAD_BATCH_SIZE),
  },
  {
    failure: 'Event partitions could not be created.',
    interval: HOUR,
    run: (db) => prepareDays(db, new Date()),
  },
  {
    failure: 'Expired event partitions could not be dropped.',
    interval: HOUR,
    run: (db) => dropExpiredDays(db, new Date()),
  },
  {
    failure: 'Old events could not be deleted.',
    ...inBatches((db, limit) => deleteExpiredEvents(db, new Date(), limit)),
  },
  // Readers add up unfolded counter rows on every query, so fold often to keep them few.
  { failure: 'Lead counters could not be folded.', interval: 1_000, run: foldLeadCounts },
];

/** Runs every 10 s, since inbound storage fills up as fast as senders send. */
function makeRoomTask(context: Context, logger: Logger): Task {
  return {
    failure: 'Inbound storage is nearly full of rejected deliveries.',
    interval: 10_000,
    run: () => makeRoom(context, logger),
  };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Starts the tasks of each environment; each runs at once and then at its interval. Returns the stop function. */
export function startHousekeeping(contexts: readonly Context[], logger: Logger): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function repeat({ db, environment }: Context, { failure, interval, run }: Task): Promise<void> {
    let failedBefore = false;
    while (!signal.aborted) {
      const error = await run(db, signal).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const failed = error !== undefined;
      // Log only the first failure in a row, not one per second while the database is down.
      if (failed && !failedBefore && !signal.aborted) logger.warn({ err: error, environment }, failure);
      failedBefore = failed;
      await pause(interval, signal);
    }
  }
  for (const context of contexts) {
    for (const task of [...tasks, makeRoomTask(context, logger)]) void repeat(context, task);
  }
  return () => stopping.abort();
}
