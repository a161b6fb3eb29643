/** Queries about the outcome of the leads created in a window. */
import { refersTo } from '../db/filters.ts';
import type { Db } from '../db/knex.ts';
import type { Condition } from '../db/list.ts';
import { raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';
import type { ContentRow, UserRow } from '../db/tables.ts';
import { type Grouping, groups, quantile, type Subject, unionAll, within } from './subject.ts';

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

export type LeadCounts = Record<keyof typeof counts, number>;

export const noLeads = Object.fromEntries(countColumns.map((column) => [column, 0])) as LeadCounts;

/** Counts the leads created in the window by group. A group without leads may be missing. */
export async function countLeads(
  db: Db,
  subject: Subject,
  grouping: Grouping,
): Promise<Map<string, LeadCounts>> {
  const rows = await run<LeadCounts & { key: string }>(db, leadCounts(subject, grouping));
  return new Map(rows.map((row) => [row.key, row]));
}

function leadCounts(subject: Subject, grouping: Grouping): Condition {
  const { key, by } = groups[grouping];
  const columns = countColumns.map((column) => `${counts[column]}::int as ${column}`).join(', ');
  return sql`select ${key} as key, ${raw(columns)} from leads where ${within('created_at', subject)} ${by}`;
}

/** The time between two milestones of a lead, for leads that have both. */
const durations = {
  to_contacted: { earlier: 'created_at', later: 'contacted_at', where: 'contacted_at is not null' },
  to_qualified: { earlier: 'contacted_at', later: 'qualified_at', where: 'qualified_at is not null' },
  to_won: { earlier: 'qualified_at', later: 'won_at', where: 'won_at is not null' },
  to_closed: { earlier: 'created_at', later: 'status_changed_at', where: `status in ('won', 'lost')` },
};

type Duration = keyof typeof durations;

/** Median durations of the leads created in the window. Seconds. A duration that no lead has is missing. */
export async function medianSeconds<Kind extends Duration>(
  db: Db,
  subject: Subject,
  kinds: readonly Kind[],
): Promise<Partial<Record<Kind, number>>> {
  const rows = await run<{ kind: Kind; seconds: number }>(
    db,
    unionAll(
      kinds.map(
        (kind) => sql`select ${kind}::text as kind, * from (${medians(subject, kind, 'none')}) medians`,
      ),
    ),
  );
  return Object.fromEntries(rows.map(({ kind, seconds }) => [kind, seconds])) as Partial<
    Record<Kind, number>
  >;
}

function medians(subject: Subject, kind: Duration, grouping: Grouping): Condition {
  const { earlier, later, where } = durations[kind];
  const { key, by } = groups[grouping];
  return sql`
    select ${key} as key,
      ${quantile(0.5, `greatest(0, floor(date_part('epoch', ${later} - ${earlier})))`)} as seconds
    from leads where ${within('created_at', subject)} and ${raw(where)} ${by}`;
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
  return rankByLeads(db, leadCounts(subject, 'content'), content);
}

/** Users who have leads or are active, by number of leads, descending, with the median seconds to first contact. */
export async function countLeadsOfUsers(
  db: Db,
  subject: Subject,
  userId: string | undefined,
): Promise<Performances<Pick<UserRow, 'id' | 'name'> & LeadCounts & { to_contacted: number | null }>> {
  const only = userId === undefined ? sql`true` : refersTo('id', 'user')(userId);
  const users = sql`
    select users.id, name, active as is_kept, seconds as to_contacted
    from users left join (${medians(subject, 'to_contacted', 'assigned_user')}) medians on key = users.id::text
    where ${only}`;
  return rankByLeads(db, leadCounts(subject, 'assigned_user'), users);
}

async function rankByLeads<Owner>(
  db: Db,
  leadsOfOwners: Condition,
  owners: Condition,
): Promise<Performances<Owner & LeadCounts>> {
  const columns = countColumns.map((column) => `coalesce(${column}, 0) as ${column}`).join(', ');
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
