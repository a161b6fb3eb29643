import type { Logger } from 'pino';
import { deleteExpiredRevocations } from './auth/queries.ts';
import type { Context } from './context.ts';
import { deleteExpiredKeys } from './db/idempotency-queries.ts';
import type { Db } from './db/knex.ts';
import { foldLeadCounts } from './db/lead-count-queries.ts';
import { dropExpired, prepareDays } from './events/retention.ts';
import { deleteOldInboundDeliveries } from './inbound-hooks/queries.ts';
import { deleteExpiredSecrets, deleteLeftDeliveries, deleteOldDeliveries } from './webhooks/queries.ts';

const HOUR = 60 * 60_000;

interface Chore {
  /** What to say when it fails; it is tried again after the interval. */
  failure: string;
  interval: number;
  run(db: Db): Promise<unknown>;
}

const chores: readonly Chore[] = [
  {
    failure: 'What has expired could not be deleted.',
    interval: HOUR,
    run: async (db) => {
      await deleteExpiredKeys(db);
      await deleteExpiredRevocations(db);
      await deleteExpiredSecrets(db);
      await inBatches(deleteOldDeliveries, db);
      await inBatches(deleteLeftDeliveries, db);
      await inBatches(deleteOldInboundDeliveries, db);
    },
  },
  {
    failure: 'Room for new events could not be made, or old ones not be dropped.',
    interval: HOUR,
    run: async (db) => {
      await prepareDays(db, new Date());
      await dropExpired(db, new Date());
    },
  },
  // Readers add what is not folded yet, so the less of it the better.
  { failure: "The leads' counters could not be folded.", interval: 1_000, run: foldLeadCounts },
];

/** So many rows are deleted at once that it takes a fraction of a second and holds nobody up. */
const BATCH = 1_000;

async function inBatches(deleteSome: (db: Db, limit: number) => Promise<number>, db: Db): Promise<void> {
  let deleted = BATCH;
  while (deleted === BATCH) deleted = await deleteSome(db, BATCH);
}

/** Does the chores of each environment, now and again and again. Returns how to end it. */
export function startHousekeeping(contexts: readonly Context[], logger: Logger): () => void {
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  async function repeat(context: Context, chore: Chore, failedBefore: boolean): Promise<void> {
    const error = await chore.run(context.db).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (stopped) return;
    const failed = error !== undefined;
    // Said once, and not each second while the database is away.
    if (failed && !failedBefore) {
      logger.warn({ err: error, environment: context.environment }, chore.failure);
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      void repeat(context, chore, failed);
    }, chore.interval);
    timers.add(timer.unref());
  }
  for (const context of contexts) for (const chore of chores) void repeat(context, chore, false);
  return () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
  };
}
