import type { Db } from '../db/db.ts';
import { DAY } from '../time.ts';
import { deleteExpired, dropDays, prepareDay } from './retention-queries.ts';

export const RETENTION_DAYS = 90;
/** Partitions are created this early, so that a service that was down for a while still finds the current day's. */
const DAYS_AHEAD = 7;

/** Creates missing partitions for today and the next seven days. */
export async function prepareDays(db: Db, now: Date): Promise<void> {
  for (let day = 0; day <= DAYS_AHEAD; day += 1) await prepareDay(db, dateOf(now.getTime() + day * DAY));
}

/** Drops the partitions of days more than 90 days ago. */
export async function dropExpiredDays(db: Db, now: Date): Promise<void> {
  await dropDays(db, firstKept(now));
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
