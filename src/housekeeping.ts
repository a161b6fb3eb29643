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

interface Chore {
  /** What to say when it fails; it is tried again after the interval. */
  failure: string;
  interval: number;
  /** Ends early when the signal is given. */
  run(db: Db, signal: AbortSignal): Promise<unknown>;
}

/** So many rows are deleted at once that it takes a fraction of a second and holds nobody up. */
const BATCH = 1_000;
/** The same where each row may be a megabyte. */
const BATCH_OF_PAYLOADS = 50;

/** Deletes what is due, a batch at a time, and rests after each for as long as it took. */
function inBatches(
  deleteSome: (db: Db, limit: number) => Promise<number>,
  limit = BATCH,
): Pick<Chore, 'interval' | 'run'> {
  return {
    interval: HOUR,
    async run(db, signal) {
      for (let deleted = limit; deleted >= limit && !signal.aborted; ) {
        const start = performance.now();
        deleted = await deleteSome(db, limit);
        if (deleted >= limit) await pause(performance.now() - start, signal);
      }
    },
  };
}

/** Each is done by itself, so that one that fails holds up none of the others. */
const chores: readonly Chore[] = [
  { failure: 'Expired idempotency keys could not be deleted.', ...inBatches(deleteExpiredKeys) },
  { failure: 'Expired revocations could not be deleted.', ...inBatches(deleteExpiredRevocations) },
  {
    failure: 'Secrets that have stopped signing could not be deleted.',
    interval: HOUR,
    run: deleteExpiredSecrets,
  },
  { failure: 'Old deliveries could not be deleted.', ...inBatches(deleteOldDeliveries) },
  { failure: 'Deliveries of deleted webhooks could not be deleted.', ...inBatches(deleteOrphanedDeliveries) },
  {
    failure: 'What came in long ago could not be deleted.',
    ...inBatches(deleteOldInboundDeliveries, BATCH_OF_PAYLOADS),
  },
  {
    failure: 'What came in by deleted hooks could not be deleted.',
    ...inBatches(deleteOrphanedInboundDeliveries, BATCH_OF_PAYLOADS),
  },
  {
    failure: 'Room for new events could not be made.',
    interval: HOUR,
    run: (db) => prepareDays(db, new Date()),
  },
  {
    failure: 'Days of old events could not be dropped.',
    interval: HOUR,
    run: (db) => dropExpiredDays(db, new Date()),
  },
  {
    failure: 'Old events could not be deleted.',
    ...inBatches((db, limit) => deleteExpiredEvents(db, new Date(), limit)),
  },
  // Readers add what is not folded yet, so the less of it the better.
  { failure: "The leads' counters could not be folded.", interval: 1_000, run: foldLeadCounts },
];

/** What inbound hooks may keep fills up at the speed of their senders. */
function roomChore(context: Context, logger: Logger): Chore {
  return {
    failure: 'Inbound hooks have little room left for what they reject.',
    interval: 10_000,
    run: () => makeRoom(context, logger),
  };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Does the chores of each environment, now and again and again. Returns how to end it. */
export function startHousekeeping(contexts: readonly Context[], logger: Logger): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  async function repeat({ db, environment }: Context, { failure, interval, run }: Chore): Promise<void> {
    let failedBefore = false;
    while (!signal.aborted) {
      const error = await run(db, signal).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const failed = error !== undefined;
      // Said once, and not each second while the database is away.
      if (failed && !failedBefore && !signal.aborted) logger.warn({ err: error, environment }, failure);
      failedBefore = failed;
      await pause(interval, signal);
    }
  }
  for (const context of contexts) {
    for (const chore of [...chores, roomChore(context, logger)]) void repeat(context, chore);
  }
  return () => ending.abort();
}
