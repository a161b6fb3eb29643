import type { Db } from '../db/db.ts';
import { knex, sql } from '../db/query.ts';
import type { NoteRow } from '../notes/tables.ts';
import { narrow, type ReportSubject } from './subject-queries.ts';

const MAX_ROWS = 1_000;

interface Activity extends Pick<NoteRow, 'actor_user_id' | 'kind'> {
  name: string | null;
  notes: number;
  inbound: number;
  outbound: number;
  leads: number;
  contacts: number;
  duration_seconds: number;
  /** How many rows there are without the limit. */
  total: number;
}

/** The notes about what took place in the window, by user and kind. */
export function countNotes(db: Db, subject: Omit<ReportSubject, 'cycleConditions'>): Promise<Activity[]> {
  const notes = knex('notes')
    .select('actor_user_id', 'kind')
    .select(
      sql`count(*)::int as notes, count(*) filter (where direction = 'inbound')::int as inbound,
        count(*) filter (where direction = 'outbound')::int as outbound, count(distinct lead_id)::int as leads,
        count(distinct contact_id)::int as contacts, coalesce(sum(duration_seconds), 0)::float8 as duration_seconds`,
    )
    .groupBy('actor_user_id', 'kind');
  narrow(notes, 'occurred_at', subject);
  return db.run(
    knex
      .select('counts.*', 'users.name', sql`count(*) over ()::int as total`)
      .from(notes.as('counts'))
      .leftJoin('users', 'users.id', 'actor_user_id')
      .orderByRaw('notes desc, actor_user_id nulls last, kind')
      .limit(MAX_ROWS),
  );
}
