import { type Db, one } from '../db/db.ts';
import { knex } from '../db/query.ts';

/** Creates the partition of a day (`2026-11-20`) if missing. */
export async function prepareDay(db: Db, day: string): Promise<void> {
  await db.run(knex.raw('select prepare_event_day(?)', [day]));
}

/** The days (`2026-11-20`) before this one that have a partition. */
export async function daysBefore(db: Db, before: string): Promise<string[]> {
  const days = await db.run<{ day: string }>(
    knex.raw(
      `select to_date(right(name::text, 8), 'YYYYMMDD')::text as day from event_days_before(?) as name`,
      [before],
    ),
  );
  return days.map(({ day }) => day);
}

/** Drops the partition of this day, and of earlier ones. */
export async function dropDay(db: Db, day: string): Promise<void> {
  await db.run(knex.raw('select drop_event_days(?::date + 1)', [day]));
}

/** Deletes up to `limit` events before this day that are not in a partition by day. Returns how many it deleted. */
export async function deleteExpired(db: Db, before: string, limit: number): Promise<number> {
  const deletion = knex.raw('select delete_expired_events(?, ?) as deleted', [before, limit]);
  const { deleted } = await one<{ deleted: number }>(db, deletion);
  return deleted;
}
