import type { Logger } from 'pino';
import { deleteExpiredRevocations } from './auth/queries.ts';
import type { Context } from './context.ts';
import { deleteExpiredKeys } from './db/idempotency-queries.ts';

const INTERVAL = 60 * 60_000;

/** Deletes what has expired, now and every hour. Returns how to end it. */
export function startHousekeeping(contexts: readonly Context[], logger: Logger): () => void {
  async function clean(): Promise<void> {
    for (const { db, environment } of contexts) {
      try {
        await deleteExpiredKeys(db);
        await deleteExpiredRevocations(db);
      } catch (error) {
        logger.warn(
          { err: error, environment },
          'What has expired could not be deleted; tried again in an hour.',
        );
      }
    }
  }
  void clean();
  const timer = setInterval(() => void clean(), INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}
