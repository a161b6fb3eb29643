import { refersTo } from '../db/filters.ts';
import type { Db } from '../db/knex.ts';
import type { Condition } from '../db/list.ts';
import { raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';
import type { ContentRow, UserRow } from '../db/tables.ts';
import {
  changeCounts,
  countColumns,
  eventCounts,
  type Facts,
  type Grouping,
  leadCounts,
  stayQuantiles,
} from './facts.ts';

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

export interface StatusStays {
  entered: number;
  exited: number;
  mean: number | null;
  median: number | null;
  p90: number | null;
}

/** The entries into the status, and the stays in it that ended. */
export async function countStays(db: Db, facts: Facts): Promise<Map<string, StatusStays>> {
  const kinds = statuses.map((status) => `in_${status}`);
  const changes = changeCounts(facts, [...kinds, ...statuses.map((status) => `entered_${status}`)]);
  const rows = await run<StatusStays & { status: string }>(
    db,
    sql`
    with quantiles as (${stayQuantiles(facts, kinds, [0.5, 0.9])}), changes as (${changes})
    select status, coalesce(entered.total, 0) as entered, coalesce(exited.total, 0) as exited,
      round(exited.seconds / exited.total)::int as mean, median.second as median, p90.second as p90
    from unnest(${[...statuses]}::text[]) as status
    left join changes entered on entered.kind = 'entered_' || status
    left join changes exited on exited.kind = 'in_' || status
    left join quantiles median on median.kind = exited.kind and median.fraction = 0.5
    left join quantiles p90 on p90.kind = exited.kind and p90.fraction = 0.9`,
  );
  return new Map(rows.map((row) => [row.status, row]));
}

/** The days (UTC) whose digests hold, as their first moments, in order; and for the reads to come, what big ones need. */
export async function prepare(snapshot: Db): Promise<number[]> {
  const [found] = await run<{ days: string[] }>(snapshot, {
    name: 'digested_days',
    sql: `select set_config('work_mem', '32MB', true), set_config('jit', 'off', true), array(
        select day::text from digested_days where not exists (
          select from stale_days where stale_days.day = digested_days.day
        ) order by day
      ) as days`,
    bindings: [],
  });
  return (found?.days ?? []).map((day) => Date.parse(day));
}
