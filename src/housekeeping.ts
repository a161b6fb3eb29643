import type { Logger } from 'pino';
import { deleteExpiredRevocations } from './auth/queries.ts';
import type { Context } from './context.ts';
import { deleteExpiredKeys } from './db/idempotency-queries.ts';
import type { Db } from './db/knex.ts';
import { dropExpired, prepareDays } from './events/retention.ts';
import { deleteOldInboundDeliveries } from './inbound-hooks/queries.ts';
import { deleteExpiredSecrets, deleteLeftDeliveries, deleteOldDeliveries } from './webhooks/queries.ts';

const INTERVAL = 60 * 60_000;
/** So many rows are deleted at once that it takes a fraction of a second and holds nobody up. */
const BATCH = 1_000;

/** Deletes what has expired and makes room for new events, now and every hour. Returns how to end it. */
export function startHousekeeping(contexts: readonly Context[], logger: Logger): () => void {
  let ended = false;
  async function clean(): Promise<void> {
    for (const { db, environment } of contexts) {
      try {
        await deleteExpiredKeys(db);
        await deleteExpiredRevocations(db);
        await deleteExpiredSecrets(db);
        await inBatches(deleteOldDeliveries, db);
        await inBatches(deleteLeftDeliveries, db);
        await inBatches(deleteOldInboundDeliveries, db);
        await prepareDays(db, new Date());
        await dropExpired(db, new Date());
      } catch (error) {
        // The pools are closed under it when the service stops; what is left undone is done at the next start.
        if (ended) return;
        logger.warn(
          { err: error, environment },
          'Housekeeping was not finished; it is tried again in an hour.',
        );
      }
    }
  }
  void clean();
  const timer = setInterval(() => void clean(), INTERVAL);
  timer.unref();
  return () => {
    ended = true;
    clearInterval(timer);
  };
}

async function inBatches(deleteSome: (db: Db, limit: number) => Promise<number>, db: Db): Promise<void> {
  let deleted = BATCH;
  while (deleted === BATCH) deleted = await deleteSome(db, BATCH);
}
