/** SQL fragments shared by all reports. */
import type { Db } from '../db/db.ts';
import type { Condition } from '../db/list.ts';
import { join, raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';

/** What a report covers: a window of time and the leads that meet the conditions. */
export interface Subject {
  /** Milliseconds since 1970, inclusive. */
  begin: number;
  /** Milliseconds since 1970, exclusive. */
  end: number;
  conditions: readonly Condition[];
}

/** The dimension to group leads by. */
export type Grouping = 'none' | 'source' | 'status' | 'assigned_user' | 'content';

interface Group {
  /** The group as text; `none` for null or without grouping. */
  key: Condition;
  /** The `group by` clause. */
  by: Condition;
}

export const groups: Record<Grouping, Group> = {
  none: { key: raw(`'none'`), by: raw('') },
  source: groupOf('source'),
  status: groupOf('status'),
  assigned_user: groupOf('assigned_user_id'),
  content: groupOf('content_id'),
};

function groupOf(column: string): Group {
  return { key: raw(`coalesce(${column}::text, 'none')`), by: raw(`group by ${column}`) };
}

/** SQL: the timestamp column lies within the subject's window, and the lead meets its conditions. */
export function within(column: string, { begin, end, conditions }: Subject): Condition {
  const [first, next] = [new Date(begin).toISOString(), new Date(end).toISOString()];
  const inWindow = sql`${raw(column)} >= ${first}::timestamptz and ${raw(column)} < ${next}::timestamptz`;
  return join([inWindow, ...conditions], 'and', sql`true`);
}

/** Wrapped in a subquery, so that PostgreSQL can run the branches in parallel. */
export function unionAll(queries: readonly Condition[]): Condition {
  return {
    sql: `select * from (${queries.map((query) => query.sql).join(' union all ')}) united`,
    bindings: queries.flatMap(({ bindings }) => [...bindings]),
  };
}

/** SQL: in whole seconds. percentile_cont() computes in floating point; the inner round() removes its errors. */
export function quantile(fraction: number, seconds: string, where = 'true'): string {
  return `round(round((
    percentile_cont(${fraction}) within group (order by ${seconds}) filter (where ${where})
  )::numeric, 4))::int`;
}

/**
 * Tunes the planner for the large reads that follow in the transaction. Bitmap scans are off, because a bitmap of all
 * leads with a tag costs more than scanning the leads of the window. Parallel tuples cost nothing, because the workers
 * return few groups, which PostgreSQL can't know.
 */
export async function tunePlanner(snapshot: Db): Promise<void> {
  await run(
    snapshot,
    sql`select set_config('work_mem', '32MB', true), set_config('jit', 'off', true),
      set_config('enable_bitmapscan', 'off', true), set_config('parallel_tuple_cost', '0', true)`,
  );
}
