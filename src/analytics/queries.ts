import { anyOf, refersTo } from '../db/filters.ts';
import type { Db } from '../db/knex.ts';
import { type Condition, countRows } from '../db/list.ts';
import { raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';
import type { ContentRow, UserRow } from '../db/tables.ts';
import { leads } from '../leads/queries.ts';
import { countColumns, eventCounts, type Facts, type Grouping, leadCounts, stayCounts } from './facts.ts';
import { all } from './live.ts';
import type { Digest } from './pieces.ts';

/** Leads: all, those that ever reached a status or a later one, and those that are in a status now. */
/** With the medians of those durations that are asked for, as far as there are any. */
export type LeadCounts = Record<(typeof countColumns)[number], number> & {
  medians: Partial<Record<Duration, number>>;
};

/** In seconds: from the creation, or from the status before. */
export type Duration = 'to_contacted' | 'to_qualified' | 'to_won' | 'to_closed';

export const noLeads: LeadCounts = {
  leads: 0,
  reached_new: 0,
  reached_contacted: 0,
  reached_qualified: 0,
  reached_won: 0,
  in_new: 0,
  in_contacted: 0,
  in_qualified: 0,
  in_won: 0,
  in_lost: 0,
  medians: {},
};

/** The counts of each key that has leads. */
export async function countLeads(
  db: Db,
  facts: Facts,
  grouping: Grouping,
  durations: readonly Duration[] = [],
): Promise<Map<string, LeadCounts>> {
  const rows = await run<LeadCounts & { key: string }>(db, leadCounts(facts, grouping, durations));
  return new Map(rows.map((row) => [row.key, row]));
}

interface Performances<Owner> {
  rows: (Owner & LeadCounts)[];
  /** How many more there are than these. */
  omitted: number;
}

const MOST_ROWS = 1_000;

/** Content that has leads or is published, most leads first. */
export function countLeadsOfContent(
  db: Db,
  facts: Facts,
  contentId: string | undefined,
): Promise<Performances<Pick<ContentRow, 'id' | 'title' | 'type' | 'status'>>> {
  const only = contentId === undefined ? sql`true` : refersTo('id', 'content')(contentId);
  return perform(
    db,
    leadCounts(facts, 'content', []),
    sql`
    select id, title, type, status, status = 'published' as is_kept from content where ${only}`,
  );
}

/** Users who have leads or are active, most leads first. */
export function countLeadsOfUsers(
  db: Db,
  facts: Facts,
  userId: string | undefined,
): Promise<Performances<Pick<UserRow, 'id' | 'name'>>> {
  const only = userId === undefined ? sql`true` : refersTo('id', 'user')(userId);
  return perform(
    db,
    leadCounts(facts, 'assigned_user', ['to_contacted']),
    sql`
    select id, name, active as is_kept from users where ${only}`,
  );
}

async function perform<Owner>(db: Db, counts: Condition, owners: Condition): Promise<Performances<Owner>> {
  const columns = countColumns.map((column) => `coalesce(${column}, 0) as ${column}`);
  const rows = await run<Owner & LeadCounts & { total: number }>(
    db,
    sql`
    select owners.*, ${raw(columns.join(', '))}, coalesce(medians, '{}') as medians, count(*) over ()::int as total
    from (${owners}) owners left join (${counts}) counts on key = id::text
    where leads > 0 or is_kept
    order by coalesce(leads, 0) desc, id limit ${MOST_ROWS}`,
  );
  return { rows, omitted: (rows[0]?.total ?? 0) - rows.length };
}

export const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;

export interface EventCount {
  /** Which of the periods, from 1. */
  period: number;
  key: string;
  kind: 'created' | 'contacted' | 'qualified' | 'won' | 'lost';
  total: number;
}

/** What happened in each of the periods, of which `begins` are the first moments. */
export function countEvents(
  db: Db,
  facts: Facts,
  begins: readonly number[],
  grouping: Grouping,
): Promise<EventCount[]> {
  return run(db, eventCounts(facts, begins, grouping));
}

/** How many leads are in each status now: by the counters, which know all filters that digests know. */
export async function countCurrent(db: Db, { conditions, digested }: Facts): Promise<Map<string, number>> {
  if (digested === null) {
    const rows = await run<{ status: string; total: number }>(
      db,
      sql`select status, count(*)::int as total from leads where ${all(conditions)} group by status`,
    );
    return new Map(rows.map(({ status, total }) => [status, total]));
  }
  const counts = new Map<string, number>();
  for (const status of statuses) {
    counts.set(status, await countRows(db, leads, [...conditions, anyOf('status')([status])]));
  }
  return counts;
}

export interface StatusStays {
  entered: number;
  exited: number;
  mean: number | null;
  median: number | null;
  p90: number | null;
}

/** The entries into each status, and the stays in it that ended, with the quantiles of their seconds. */
export async function countStays(db: Db, facts: Facts): Promise<(status: string) => StatusStays> {
  const rows = await run<{ kind: string; total: number; seconds: number; quantiles: Record<string, number> }>(
    db,
    stayCounts(facts, statuses, [0.5, 0.9]),
  );
  const byKind = new Map(rows.map((row) => [row.kind, row]));
  return (status) => {
    const exited = byKind.get(`in_${status}`);
    return {
      entered: byKind.get(`entered_${status}`)?.total ?? 0,
      exited: exited?.total ?? 0,
      mean: exited === undefined ? null : Math.round(exited.seconds / exited.total),
      median: exited?.quantiles['0.5'] ?? null,
      p90: exited?.quantiles['0.9'] ?? null,
    };
  };
}

/** The digests that hold; and for the reads to come, what big ones need. */
export async function prepare(snapshot: Db): Promise<Digest[]> {
  await run(snapshot, sql`select set_config('work_mem', '32MB', true), set_config('jit', 'off', true)`);
  const rows = await run<{ of: Digest['of']; begin: string; end: string }>(snapshot, {
    name: 'digests',
    sql: `select span as of, begins::text as begin, (begins + ('1 ' || span)::interval)::date::text as end
      from digests
      where (span, begins) not in (
        select distinct span, date_trunc(span, day)::date
        from (select distinct day from stale_days) stale cross join (values ('day'), ('month')) spans(span)
      )`,
    bindings: [],
  });
  return rows.map(({ of, begin, end }) => ({ of, begin: Date.parse(begin), end: Date.parse(end) }));
}
