/** Queries about the outcome of the leads created in a window. */

import type { Db } from '../db/db.ts';
import { refersTo } from '../db/filters.ts';
import type { Condition } from '../db/list.ts';
import { raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';
import type { ContentRow, UserRow } from '../db/tables.ts';
import { type Grouping, groups, quantile, type Subject, within } from './subject.ts';

/** Counts of all leads, of those that ever reached a status or a later one, and of those currently in a status. */
const counts = {
  leads: 'count(*)',
  reached_new: 'count(new_at)',
  reached_contacted: 'count(contacted_at)',
  reached_qualified: 'count(qualified_at)',
  reached_won: 'count(won_at)',
  in_new: `count(*) filter (where status = 'new')`,
  in_contacted: `count(*) filter (where status = 'contacted')`,
  in_qualified: `count(*) filter (where status = 'qualified')`,
  in_won: `count(*) filter (where status = 'won')`,
  in_lost: `count(*) filter (where status = 'lost')`,
};
const countColumns = Object.keys(counts) as (keyof typeof counts)[];

export const noLeads = Object.fromEntries(countColumns.map((column) => [column, 0])) as LeadCounts;

export type LeadCounts = Record<keyof typeof counts, number>;

/** Median seconds between two milestones, of the leads that have both; null if none has. */
const medians = {
  to_contacted: median('created_at', 'contacted_at', 'contacted_at is not null'),
  to_qualified: median('contacted_at', 'qualified_at', 'qualified_at is not null'),
  to_won: median('qualified_at', 'won_at', 'won_at is not null'),
  to_closed: median('created_at', 'status_changed_at', `status in ('won', 'lost')`),
};

function median(earlier: string, later: string, where: string): string {
  return quantile(0.5, `greatest(0, floor(date_part('epoch', ${later} - ${earlier})))`, where);
}

type Median = keyof typeof medians;
type LeadFigures<Kind extends Median = never> = LeadCounts & Record<Kind, number | null>;

/** Counts the leads created in the window, and takes the medians. */
export async function summarizeLeads<Kind extends Median>(
  db: Db,
  subject: Subject,
  kinds: readonly Kind[],
): Promise<LeadFigures<Kind>> {
  const [row] = await run<LeadFigures<Kind>>(db, figures(subject, 'none', kinds));
  return row as LeadFigures<Kind>;
}

/** Counts the leads created in the window by group. A group without leads is missing. */
export async function countLeads(
  db: Db,
  subject: Subject,
  grouping: Grouping,
): Promise<Map<string, LeadCounts>> {
  const rows = await run<LeadCounts & { key: string }>(db, figures(subject, grouping));
  return new Map(rows.map((row) => [row.key, row]));
}

/** All figures come from one scan: of an index that covers them, or of the leads that pass the filters. */
function figures(subject: Subject, grouping: Grouping, kinds: readonly Median[] = []): Condition {
  const { key, by } = groups[grouping];
  const columns = [
    ...countColumns.map((column) => `${counts[column]}::int as ${column}`),
    ...kinds.map((kind) => `${medians[kind]} as ${kind}`),
  ];
  return sql`select ${key} as key, ${raw(columns.join(', '))} from leads where ${within('created_at', subject)} ${by}`;
}

interface Performances<Row> {
  rows: Row[];
  /** Number of rows beyond MAX_ROWS. */
  omitted: number;
}

const MAX_ROWS = 1_000;

/** Content that has leads or is published, by number of leads, descending. */
export function countLeadsOfContent(
  db: Db,
  subject: Subject,
  contentId: string | undefined,
): Promise<Performances<Pick<ContentRow, 'id' | 'title' | 'type' | 'status'> & LeadCounts>> {
  const only = contentId === undefined ? sql`true` : refersTo('id', 'content')(contentId);
  const content = sql`select id, title, type, status, status = 'published' as is_kept from content where ${only}`;
  return rankByLeads(db, figures(subject, 'content'), content);
}

/** Users who have leads or are active, by number of leads, descending, with the median seconds to first contact. */
export async function countLeadsOfUsers(
  db: Db,
  subject: Subject,
  userId: string | undefined,
): Promise<Performances<Pick<UserRow, 'id' | 'name'> & LeadCounts & { to_contacted: number | null }>> {
  const only = userId === undefined ? sql`true` : refersTo('id', 'user')(userId);
  const users = sql`select id, name, active as is_kept from users where ${only}`;
  return rankByLeads(db, figures(subject, 'assigned_user', ['to_contacted']), users, ['to_contacted']);
}

async function rankByLeads<Owner>(
  db: Db,
  leadsOfOwners: Condition,
  owners: Condition,
  kinds: readonly Median[] = [],
): Promise<Performances<Owner & LeadCounts>> {
  const columns = [...countColumns.map((column) => `coalesce(${column}, 0) as ${column}`), ...kinds].join(
    ', ',
  );
  const rows = await run<Owner & LeadCounts & { total: number }>(
    db,
    sql`
    select owners.*, ${raw(columns)}, count(*) over ()::int as total
    from (${owners}) owners left join (${leadsOfOwners}) counts on key = id::text
    where leads > 0 or is_kept
    order by coalesce(leads, 0) desc, id limit ${MAX_ROWS}`,
  );
  return { rows, omitted: (rows[0]?.total ?? 0) - rows.length };
}
