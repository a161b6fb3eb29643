/** Queries about what happened in a window, whenever the leads were created. */
import { schemas } from '../../generated/rules.ts';
import type { Db } from '../db/db.ts';
import { anyOf } from '../db/filters.ts';
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
  for (const status of schemas.LeadStatus.enum) {
    current.set(status, await countRows(db, leads, [...conditions, anyOf('status')([status])]));
  }
  return current;
}

interface StatusChanges {
  entered: number | null;
  exited: number | null;
  /** Seconds of the stays that ended in the window. */
  mean: number | null;
  median: number | null;
  p90: number | null;
}

/** Counts the entries into each status and the exits from it in the window. A status without either is missing. */
export async function countChanges(db: Db, subject: Subject): Promise<Map<string, StatusChanges>> {
  const isFiltered = subject.conditions.length > 0;
  // Filters look up the lead of each change, so once for entries and exits. Without filters, indexes have all that is read,
  // and branches per status run in parallel.
  const branches = isFiltered ? [schemas.LeadStatus.enum] : schemas.LeadStatus.enum.map((status) => [status]);
  const exits = branches.map(
    (branch) => sql`
      select from_status as status, null::int as entered, count(seconds)::int as exited,
        round(avg(seconds))::int as mean, ${raw(quantile(0.5, 'seconds'))} as median, ${raw(quantile(0.9, 'seconds'))} as p90
      from change where ${anyOf('from_status')(branch)} group by from_status`,
  );
  const entries = sql`
    select to_status as status, count(*)::int as entered, null::int as exited, null::int as mean, null::int as median,
      null::int as p90
    from change where ${anyOf('to_status')(schemas.LeadStatus.enum)} group by to_status`;
  const rows = await run<StatusChanges & { status: string }>(
    db,
    sql`
    with change as ${raw(isFiltered ? 'materialized' : 'not materialized')} (
      select from_status, to_status, seconds from lead_status_changes where ${changedWithin(subject)}
    )
    select status, max(entered) as entered, max(exited) as exited, max(mean) as mean, max(median) as median, max(p90) as p90
    from (${unionAll([entries, ...exits])}) counted group by status`,
  );
  return new Map(rows.map((row) => [row.status, row]));
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
