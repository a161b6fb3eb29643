import type { Db } from '../db/db.ts';
import { DAY } from '../values/time.ts';
import { deleteEventsBefore } from './retention-queries.ts';

export const RETENTION_DAYS = 90;

/** Deletes up to `limit` events from more than 90 days (UTC) ago. Returns the number of events. */
export async function deleteExpiredEvents(db: Db, now: Date, limit: number): Promise<number> {
  const firstKept = new Date(now.getTime() - RETENTION_DAYS * DAY).setUTCHours(0, 0, 0, 0);
  return deleteEventsBefore(db, new Date(firstKept).toISOString(), limit);
}
