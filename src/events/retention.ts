import type { Db } from '../db/knex.ts';
import { dropDays, prepareDay } from './queries.ts';

export const DAYS_KEPT = 90;
/** Prepared so early that a service which was stopped for a while still finds its day. */
const DAYS_AHEAD = 7;
const DAY = 86_400_000;

/** Makes the partitions of the days around this moment, from so many days before it on; those that exist stay. */
export async function prepareDays(db: Db, daysBefore: number, now: Date): Promise<void> {
  for (let day = -daysBefore; day <= DAYS_AHEAD; day += 1) {
    await prepareDay(db, dateOf(now.getTime() + day * DAY));
  }
}

/** Drops what is older than 90 days, a whole UTC day at a time. */
export async function dropExpired(db: Db, now: Date): Promise<void> {
  await dropDays(db, dateOf(now.getTime() - DAYS_KEPT * DAY));
}

/** `2026-11-20` */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
