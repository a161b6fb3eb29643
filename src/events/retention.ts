import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import { isLockTimeout } from '../db/errors.ts';
import { DAY, SECOND } from '../values/time.ts';
import { daysBefore, deleteExpired, dropDay, prepareDay } from './retention-queries.ts';

export const RETENTION_DAYS = 90;
/** Partitions are created this early, so that a service that was down for a while still finds the current day's. */
const DAYS_AHEAD = 7;
/** How often to try to lock the log, a second apart. */
const MAX_LOCK_ATTEMPTS = 60;

/** Creates missing partitions for today and the next seven days. */
export async function prepareDays(db: Db, now: Date): Promise<void> {
  for (let day = 0; day <= DAYS_AHEAD; day += 1) {
    await untilLocked(() => prepareDay(db, dateOf(now.getTime() + day * DAY)));
  }
}

/** Drops the partitions of days more than 90 days ago, one by one, so that each holds the lock for a moment only. */
export async function dropExpiredDays(db: Db, now: Date): Promise<void> {
  const days = await daysBefore(db, firstKept(now));
  for (const day of days.sort()) await untilLocked(() => dropDay(db, day));
}

/** Tries again while others use the log. */
async function untilLocked(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_LOCK_ATTEMPTS || !isLockTimeout(error)) throw error;
      await sleep(SECOND, undefined, { ref: false });
    }
  }
}

/** Deletes up to `limit` events of such days that are not in a partition by day. Returns the number of deleted events. */
export async function deleteExpiredEvents(db: Db, now: Date, limit: number): Promise<number> {
  return deleteExpired(db, firstKept(now), limit);
}

function firstKept(now: Date): string {
  return dateOf(now.getTime() - RETENTION_DAYS * DAY);
}

/** `2026-11-20` */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
