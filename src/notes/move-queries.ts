import { changeTime } from '../db/change-horizon.ts';
import type { Db } from '../db/db.ts';
import { knex, names, prepareShapes, sql } from '../db/query.ts';
import { type NoteRow, noteColumns } from './tables.ts';

/** UUIDs of leads or contacts. */
export interface Move {
  from: string;
  to: string;
}

const moving = prepareShapes<Move & { limit: number }, NoteRow>('move_notes');

/** Moves up to `limit` notes from one owner to another. Returns them after that. */
export async function moveSome(
  db: Db,
  column: 'lead_id' | 'contact_id',
  move: Move & { limit: number },
): Promise<NoteRow[]> {
  return db.run(
    moving(column, true, move, (bind) => {
      const some = sql`
        select id from notes where ${knex.ref(column)} = ${bind(({ from }) => from)}::uuid
        order by id limit ${bind(({ limit }) => limit)} for no key update`;
      return sql`
        update notes set ${knex.ref(column)} = ${bind(({ to }) => to)}::uuid,
          version = version + 1, updated_at = ${changeTime}
        where id = any(array(${some}))
        returning ${names(noteColumns)}`;
    }),
  );
}
