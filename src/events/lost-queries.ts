import type { Db } from '../db/db.ts';
import type { Mark } from '../db/marks.ts';
import { knex, prepare } from '../db/query.ts';

interface Marks {
  ids: readonly string[];
  positions: readonly number[];
}

const lost = prepare<Marks, { id: string; position: string }>('lost_events', ($) =>
  knex.raw(
    `select id, position from unnest(?::uuid[], ?::bigint[]) as mark(id, position)
    where not exists (select from events where events.id = mark.id)
      and position > (select dropped_through from event_retention)
    order by position`,
    [$('ids'), $('positions')],
  ),
);

/** Those of these events that the log neither has nor has dropped because of their age. Ordered by position. */
export async function findLost(db: Pick<Db, 'run'>, marks: readonly Mark[]): Promise<Mark[]> {
  const ids = marks.map(({ id }) => id);
  const rows = await db.run(lost({ ids, positions: marks.map(({ position }) => position) }));
  return rows.map(({ id, position }) => ({ id, position: Number(position) }));
}
