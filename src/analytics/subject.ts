/** The pieces of SQL that all reports share. */
import type { Db } from '../db/knex.ts';
import type { Condition } from '../db/list.ts';
import { join, raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';

/** What a report is about: what happened between two moments (milliseconds, the end left out) to some of the leads. */
export interface Subject {
  begin: number;
  end: number;
  conditions: readonly Condition[];
}

/** What leads are told apart by. */
export type Grouping = 'none' | 'source' | 'status' | 'assigned_user' | 'content';

export interface Group {
  /** As text; `none` where that is null, or nothing is told apart. */
  key: Condition;
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

/** That the moment lies between those of the subject, and that the lead meets its conditions. */
export function within(column: string, { begin, end, conditions }: Subject): Condition {
  const [first, next] = [new Date(begin).toISOString(), new Date(end).toISOString()];
  const isThen = sql`${raw(column)} >= ${first}::timestamptz and ${raw(column)} < ${next}::timestamptz`;
  return join([isThen, ...conditions], 'and', sql`true`);
}

/** In a level of its own, of which PostgreSQL may work on several at once. */
export function unionAll(queries: readonly Condition[]): Condition {
  return {
    sql: `select * from (${queries.map((query) => query.sql).join(' union all ')}) united`,
    bindings: queries.flatMap(({ bindings }) => [...bindings]),
  };
}

/** To whole seconds. percentile_cont() reckons in binary fractions, which the inner rounding mends. */
export function quantile(fraction: number, seconds: string): Condition {
  return raw(
    `round(round(percentile_cont(${fraction}) within group (order by ${seconds})::numeric, 4))::int`,
  );
}

/**
 * What big reads to come in the transaction need. A tag is no reason to begin with its index: a bitmap of all leads with
 * it costs more than to look at those of the window. And what several processes pass on is little, as groups are few, which
 * PostgreSQL can't know.
 */
export async function prepare(snapshot: Db): Promise<void> {
  await run(
    snapshot,
    sql`select set_config('work_mem', '32MB', true), set_config('jit', 'off', true),
      set_config('enable_bitmapscan', 'off', true), set_config('parallel_tuple_cost', '0', true)`,
  );
}
