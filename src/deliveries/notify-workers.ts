import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import { notify } from './queries.ts';

/** Minimum milliseconds between two notifications of a process. */
const NOTIFY_INTERVAL = 10;

/**
 * Returns a function that tells the workers of new deliveries once the given transaction has committed. Notifies outside of
 * the transactions, because PostgreSQL commits transactions with notifications one at a time. A lost notification costs up to
 * a second, until the workers poll.
 */
export function createNotifyWorkers(db: Db): (trx: Db) => void {
  let isPending = false;
  let isRunning = false;

  async function notifyAll(): Promise<void> {
    isRunning = true;
    while (isPending) {
      isPending = false;
      await notify(db).catch(() => undefined);
      await sleep(NOTIFY_INTERVAL);
    }
    isRunning = false;
  }

  return (trx) =>
    trx.afterCommit(() => {
      isPending = true;
      if (!isRunning) void notifyAll();
    });
}
