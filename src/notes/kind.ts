import type { RowValues } from '../db/row-statements.ts';
import type { Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { startOf } from '../values/instant-or-date.ts';
import { MINUTE } from '../values/time.ts';
import type { NoteRow } from './tables.ts';

/** What a note says about a call, a meeting or a message. */
type About = Pick<Schema<'CreateNote'>, 'kind' | 'direction' | 'occurred_at' | 'duration_seconds'>;

/** Other machines' clocks may be this much ahead. Milliseconds. */
const TOLERANCE = 5 * MINUTE;

/** The columns of a new note. Without a time, it is about now. Throws 422 for a time in the future. */
export function kindColumns(about: Partial<About>): RowValues<NoteRow> {
  const { kind = 'note', direction = null, duration_seconds = null } = about;
  return { kind, direction, duration_seconds, ...occurredColumn(about) };
}

/** The time, if there is one, as the database takes it. Throws 422 for a time in the future. */
export function occurredColumn({ occurred_at: time }: Partial<About>): { occurred_at?: string } {
  if (time === undefined) return {};
  const occurred = startOf(time);
  if (occurred > Date.now() + TOLERANCE) throw invalidField('occurred_at', 'must not be in the future');
  return { occurred_at: new Date(occurred).toISOString() };
}
