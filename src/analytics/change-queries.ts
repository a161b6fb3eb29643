/** What happened in a time, to whichever leads. */
import { anyOf } from '../db/filters.ts';
import type { Db } from '../db/knex.ts';
import { type Condition, countRows, isCounted } from '../db/list.ts';
import { join, raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';
import { leads } from '../leads/queries.ts';
import { type Grouping, groups, quantile, type Subject, unionAll, within } from './subject.ts';

const eventKinds = ['created', 'contacted', 'qualified', 'won', 'lost'] as const;

export interface EventCount {
  /** Which of the periods, from 1. */
  period: number;
  key: string;
  kind: (typeof eventKinds)[number];
  total: number;
}

/** What first happened to leads in each of the periods, of which `begins` are the first moments. */
export function countEvents(
  db: Db,
  subject: Subject,
  begins: readonly number[],
  grouping: Grouping,
): Promise<EventCount[]> {
  const { key, by } = groups[grouping];
  const byPeriod = by.sql === '' ? sql`group by period` : sql`${by}, period`;
  const moments = begins.map((begin) => new Date(begin).toISOString());
  const events = eventKinds.map(
    (kind) => sql`
      select ${kind}::text as kind, width_bucket(${raw(`${kind}_at`)}, ${moments}::timestamptz[]) as period,
        ${key} as key, count(*)::int as total
      from leads where ${within(`${kind}_at`, subject)} ${byPeriod}`,
  );
  return run(db, unionAll(events));
}

export const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;

/** How many of the leads are in each status now: by the counters, where these know. */
export async function countCurrent(db: Db, conditions: readonly Condition[]): Promise<Map<string, number>> {
  if (!isCounted(leads, conditions)) {
    const rows = await run<{ status: string; total: number }>(
      db,
      sql`select status, count(*)::int as total from leads where ${join(conditions, 'and', sql`true`)} group by status`,
    );
    return new Map(rows.map(({ status, total }) => [status, total]));
  }
  const current = new Map<string, number>();
  for (const status of statuses) {
    current.set(status, await countRows(db, leads, [...conditions, anyOf('status')([status])]));
  }
  return current;
}

export interface Stays {
  exited: number;
  mean: number | null;
  median: number | null;
  p90: number | null;
}

/** The stays in each status that ended then; a status in which none did is missing. */
export async function countStays(db: Db, subject: Subject): Promise<Map<string, Stays>> {
  // Who looks up leads does so for all statuses at once; without, PostgreSQL can work on several statuses at once.
  const parts = subject.conditions.length > 0 ? [statuses] : statuses.map((status) => [status]);
  const stays = parts.map(
    (some) => sql`
      select from_status as status, count(seconds)::int as exited, round(avg(seconds))::int as mean,
        ${quantile(0.5, 'seconds')} as median, ${quantile(0.9, 'seconds')} as p90
      from lead_status_changes where ${anyOf('from_status')(some)} and ${changedWithin(subject)} group by from_status`,
  );
  const rows = await run<Stays & { status: string }>(db, unionAll(stays));
  return new Map(rows.map((row) => [row.status, row]));
}

/** The entries into each status then; a status that no lead entered is missing. */
export async function countEntries(db: Db, subject: Subject): Promise<Map<string, number>> {
  const rows = await run<{ status: string; entered: number }>(
    db,
    sql`
    select to_status as status, count(*)::int as entered from lead_status_changes
    where to_status = any(${[...statuses]}) and ${changedWithin(subject)} group by to_status`,
  );
  return new Map(rows.map(({ status, entered }) => [status, entered]));
}

/** A lead that changed then has changed for the last time since, which leaves the fewer to look at. */
function changedWithin({ begin, end, conditions }: Subject): Condition {
  const isThen = within('changed_at', { begin, end, conditions: [] });
  if (conditions.length === 0) return isThen;
  const since = sql`status_changed_at >= ${new Date(begin).toISOString()}::timestamptz`;
  return sql`${isThen} and lead_id in (select id from leads where ${join([since, ...conditions], 'and', since)})`;
}
