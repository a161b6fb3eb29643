import type { Db } from '../db/knex.ts';
import { deleteExpired, dropDays, prepareDay } from './queries.ts';

const DAYS_KEPT = 90;
/** Prepared so early that a service which was stopped for a while still finds its day. */
const DAYS_AHEAD = 7;
const DAY = 86_400_000;

/** Makes the partitions of this day and the next ones; those that exist stay. */
export async function prepareDays(db: Db, now: Date): Promise<void> {
  for (let day = 0; day <= DAYS_AHEAD; day += 1) await prepareDay(db, dateOf(now.getTime() + day * DAY));
}

/** Drops the partitions of the days that are more than 90 days past. */
export async function dropExpiredDays(db: Db, now: Date): Promise<void> {
  await dropDays(db, firstKept(now));
}

/** Deletes up to `limit` events of such days that lie in no partition of their own; tells how many there were. */
export async function deleteExpiredEvents(db: Db, now: Date, limit: number): Promise<number> {
  return deleteExpired(db, firstKept(now), limit);
}

function firstKept(now: Date): string {
  return dateOf(now.getTime() - DAYS_KEPT * DAY);
}

/** `2026-11-20` */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
