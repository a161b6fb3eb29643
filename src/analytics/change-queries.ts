/** Queries about what happened in a window, whenever the leads were created. */
import { anyOf } from '../db/filters.ts';
import type { Db } from '../db/knex.ts';
import { type Condition, countRows, isCounted } from '../db/list.ts';
import { join, raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';
import { leads } from '../leads/queries.ts';
import { type Grouping, groups, quantile, type Subject, unionAll, within } from './subject.ts';

const eventKinds = ['created', 'contacted', 'qualified', 'won', 'lost'] as const;

export interface EventCount {
  /** Number of the period, starting at 1. */
  period: number;
  key: string;
  kind: (typeof eventKinds)[number];
  total: number;
}

/** Counts the milestones that leads reached for the first time, by period. `begins` are the starts of the periods. */
export function countEvents(
  db: Db,
  subject: Subject,
  begins: readonly number[],
  grouping: Grouping,
): Promise<EventCount[]> {
  const { key, by } = groups[grouping];
  const starts = begins.map((begin) => new Date(begin).toISOString());
  const count = (kind: Condition, at: string, from: Condition) => sql`
    select ${kind} as kind, width_bucket(${raw(at)}, ${starts}::timestamptz[]) as period, ${key} as key,
      count(*)::int as total
    from ${from} and ${within(at, subject)} ${by.sql === '' ? raw('group by') : sql`${by},`} kind, period`;
  // The index per kind covers reports without filters. Filters read the leads themselves, so once for all kinds.
  if (subject.conditions.length > 0) {
    return run(
      db,
      count(
        raw('kind'),
        'at',
        sql`leads cross join lateral (values ${milestones}) as milestone (kind, at) where ${changedSince(subject)}`,
      ),
    );
  }
  return run(
    db,
    unionAll(eventKinds.map((kind) => count(sql`${kind}::text`, `${kind}_at`, raw('leads where true')))),
  );
}

const milestones = raw(eventKinds.map((kind) => `('${kind}', ${kind}_at)`).join(', '));

export const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;

/** Counts the leads currently in each status, from the counters if they cover the conditions. */
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

interface Stays {
  exited: number;
  mean: number | null;
  median: number | null;
  p90: number | null;
}

/** Statistics of the stays in each status that ended in the window. Seconds. A status that no lead left is missing. */
export async function countStays(db: Db, subject: Subject): Promise<Map<string, Stays>> {
  // One branch for all statuses looks up the filtered leads once. Without filters, branches per status run in parallel.
  const branches = subject.conditions.length > 0 ? [statuses] : statuses.map((status) => [status]);
  const stays = branches.map(
    (branch) => sql`
      select from_status as status, count(seconds)::int as exited, round(avg(seconds))::int as mean,
        ${quantile(0.5, 'seconds')} as median, ${quantile(0.9, 'seconds')} as p90
      from lead_status_changes where ${anyOf('from_status')(branch)} and ${changedWithin(subject)} group by from_status`,
  );
  const rows = await run<Stays & { status: string }>(db, unionAll(stays));
  return new Map(rows.map((row) => [row.status, row]));
}

/** Counts the entries into each status in the window. A status that no lead entered is missing. */
export async function countEntries(db: Db, subject: Subject): Promise<Map<string, number>> {
  const rows = await run<{ status: string; entered: number }>(
    db,
    sql`
    select to_status as status, count(*)::int as entered from lead_status_changes
    where to_status = any(${[...statuses]}) and ${changedWithin(subject)} group by to_status`,
  );
  return new Map(rows.map(({ status, entered }) => [status, entered]));
}

/** SQL: the status change lies in the window, and its lead meets the conditions. */
function changedWithin(subject: Subject): Condition {
  const { conditions } = subject;
  const inWindow = within('changed_at', { ...subject, conditions: [] });
  if (conditions.length === 0) return inWindow;
  const matching = join([changedSince(subject), ...conditions], 'and', sql`true`);
  return sql`${inWindow} and lead_id in (select id from leads where ${matching})`;
}

/** SQL: narrows the leads to look up. What happened to a lead in the window can't be later than its last status change. */
function changedSince({ begin }: Subject): Condition {
  return sql`status_changed_at >= ${new Date(begin).toISOString()}::timestamptz`;
}
