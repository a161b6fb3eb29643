import type { Knex } from 'knex';
import { type Db, one } from '../db/db.ts';
import { knex, sql } from '../db/query.ts';
import { narrow, type ReportSubject } from './subject-queries.ts';

/**
 * The median of the whole seconds between two timestamps of the rows. The mean of the two middle values, which are the same
 * value if the number is odd; the second fraction finds the upper one. percentile_cont() would do the same, but takes 50 %
 * longer, since it sorts floating point numbers.
 */
export function medianSeconds(earlier: string, later: string, where = 'true'): Knex.Raw {
  const seconds = sql`greatest(0, floor(date_part('epoch', ${knex.ref(later)} - ${knex.ref(earlier)}))::int)`;
  const middle = sql`percentile_disc(array[0.5, 0.500000001]) within group (order by ${seconds}) filter (where ${knex.raw(where)})`;
  return sql`round(((${middle})[1] + (${middle})[2]::numeric) / 2)::int`;
}

interface Milestones {
  table: 'leads' | 'sales_cycles';
  from: string;
  to: string;
}

/** The median time between the two, of the rows whose second one is in the window. Null if there are none. */
export async function findMedian(
  db: Db,
  { table, from, to }: Milestones,
  subject: Omit<ReportSubject, 'cycleConditions'>,
): Promise<number | null> {
  const median = knex(table).select(sql`${medianSeconds(from, to)} as seconds`);
  const { seconds } = await one<{ seconds: number | null }>(db, median.modify(narrow, to, subject));
  return seconds;
}
