import type { Db } from '../db/knex.ts';
import { dropDays, prepareDay } from './queries.ts';

const DAYS_KEPT = 90;
/** Prepared so early that a service which was stopped for a while still finds its day. */
const DAYS_AHEAD = 7;
const DAY = 86_400_000;

/** Makes the partitions of this day and the next ones; those that exist stay. */
export async function prepareDays(db: Db, now: Date): Promise<void> {
  for (let day = 0; day <= DAYS_AHEAD; day += 1) await prepareDay(db, dateOf(now.getTime() + day * DAY));
}

/** Drops what was recorded more than 90 days ago, a whole UTC day at a time. */
export async function dropExpired(db: Db, now: Date): Promise<void> {
  await dropDays(db, dateOf(now.getTime() - DAYS_KEPT * DAY));
}

/** `2026-11-20` */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
