import { type Db, one } from '../db/db.ts';
import { knex } from '../db/query.ts';

/** Deletes up to `limit` events from before this moment, and records the last position. Returns the number of events. */
export async function deleteEventsBefore(db: Db, moment: string, limit: number): Promise<number> {
  const { deleted } = await one<{ deleted: number }>(
    db,
    knex.raw(
      `with expired as (
        delete from events where id in (
          select id from events where id < uuid_bound(?) order by id limit ? for update skip locked
        )
        returning position
      ), noted as (
        update event_retention set dropped_through = last
        from (select max(position) as last from expired) as deleted
        where dropped_through < last
      )
      select count(*)::int as deleted from expired`,
      [moment, limit],
    ),
  );
  return deleted;
}
