import { type Db, one } from '../db/db.ts';
import { knex } from '../db/query.ts';

/** Creates the partition of a day (`2026-11-20`) if missing. */
export async function prepareDay(db: Db, day: string): Promise<void> {
  await db.run(knex.raw('select prepare_event_day(?)', [day]));
}

/** Drops the partitions of the days before this one. */
export async function dropDays(db: Db, before: string): Promise<void> {
  await db.run(knex.raw('select drop_event_days(?)', [before]));
}

/** Deletes up to `limit` events before this day that are not in a partition by day. Returns how many it deleted. */
export async function deleteExpired(db: Db, before: string, limit: number): Promise<number> {
  const deletion = knex.raw('select delete_expired_events(?, ?) as deleted', [before, limit]);
  const { deleted } = await one<{ deleted: number }>(db, deletion);
  return deleted;
}
