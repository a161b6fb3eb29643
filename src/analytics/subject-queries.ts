/** What all reports share. */
import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { applyAll, type Condition } from '../db/list/condition.ts';
import { knex, sql } from '../db/query.ts';

/** What a report covers: a window of time, and the leads and sales cycles that meet the conditions. */
export interface ReportSubject {
  /** Milliseconds since 1970, inclusive. */
  begin: number;
  /** Milliseconds since 1970, exclusive. */
  end: number;
  /** Of leads. */
  conditions: readonly Condition[];
  /** The same for sales cycles. */
  cycleConditions: readonly Condition[];
}

/** The same subject for queries of sales cycles. */
export const ofCycles = (subject: ReportSubject): ReportSubject => ({
  ...subject,
  conditions: subject.cycleConditions,
});

/** Keeps the rows whose timestamp lies in the subject's window and that meet its conditions. */
export function narrow(
  rows: Knex.QueryBuilder,
  timestamp: string,
  { begin, end, conditions }: Omit<ReportSubject, 'cycleConditions'>,
): void {
  rows
    .where(timestamp, '>=', new Date(begin).toISOString())
    .where(timestamp, '<', new Date(end).toISOString());
  applyAll(rows, conditions);
}

/** PostgreSQL runs the branches of a UNION ALL in parallel only in a subquery. */
export function unionAll(queries: readonly Knex.QueryBuilder[]): Knex.QueryBuilder {
  return knex.select('*').from(knex.unionAll([...queries]).as('united'));
}

/**
 * Tunes the planner for large reads, until the transaction ends. Bitmap scans are off: a bitmap of all leads with a tag
 * costs more than scanning the leads of the window. A search needs them, because a GIN index has no other scan. Workers
 * return few groups, which PostgreSQL can't know, so parallel_tuple_cost is low. At zero, the branches of a UNION ALL would
 * run one after another, each with workers.
 */
export async function tunePlanner(snapshot: Db, { usesBitmaps }: { usesBitmaps: boolean }): Promise<void> {
  await snapshot.run(
    sql`select set_config('work_mem', '32MB', true), set_config('jit', 'off', true),
      set_config('enable_bitmapscan', ${usesBitmaps ? 'on' : 'off'}, true), set_config('parallel_tuple_cost', '0.01', true)`,
  );
}
