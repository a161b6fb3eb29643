/** Queries about the outcome of the leads created in a window. */
import type { Knex } from 'knex';
import type { ContentRow } from '../content/tables.ts';
import type { Db } from '../db/db.ts';
import { applyAll } from '../db/list/condition.ts';
import { refersTo } from '../db/list/filters.ts';
import { knex, sql } from '../db/query.ts';
import type { UserRow } from '../users/tables.ts';
import { type Grouping, groupRows, narrow, quantile, type Subject } from './subject-queries.ts';

/** Counts of all leads, of those that ever reached a status or a later one, and of those currently in a status. */
const counts = {
  leads: sql`count(*)`,
  reached_new: sql`count(new_at)`,
  reached_contacted: sql`count(contacted_at)`,
  reached_qualified: sql`count(qualified_at)`,
  reached_won: sql`count(won_at)`,
  in_new: sql`count(*) filter (where status = 'new')`,
  in_contacted: sql`count(*) filter (where status = 'contacted')`,
  in_qualified: sql`count(*) filter (where status = 'qualified')`,
  in_won: sql`count(*) filter (where status = 'won')`,
  in_lost: sql`count(*) filter (where status = 'lost')`,
};
const countColumns = Object.keys(counts) as (keyof typeof counts)[];

export const noLeads = Object.fromEntries(countColumns.map((column) => [column, 0])) as LeadCounts;

export type LeadCounts = Record<keyof typeof counts, number>;

/** Median seconds between two milestones, of the leads that have both; null if none has. */
const medians = {
  to_contacted: median('created_at', 'contacted_at', sql`contacted_at is not null`),
  to_qualified: median('contacted_at', 'qualified_at', sql`qualified_at is not null`),
  to_won: median('qualified_at', 'won_at', sql`won_at is not null`),
  to_closed: median('created_at', 'status_changed_at', sql`status in ('won', 'lost')`),
};

function median(earlier: string, later: string, where: Knex.Raw): Knex.Raw {
  const seconds = sql`greatest(0, floor(date_part('epoch', ${knex.ref(later)} - ${knex.ref(earlier)})))`;
  return quantile(0.5, seconds, where);
}

type Median = keyof typeof medians;
type LeadFigures<Kind extends Median = never> = LeadCounts & Record<Kind, number | null>;

/** Counts the leads created in the window, and takes the medians. */
export async function summarizeLeads<Kind extends Median>(
  db: Db,
  subject: Subject,
  kinds: readonly Kind[],
): Promise<LeadFigures<Kind>> {
  const [row] = await db.run<LeadFigures<Kind>>(figures(subject, 'none', kinds));
  return row as LeadFigures<Kind>;
}

/** Counts the leads created in the window by group. A group without leads is missing. */
export async function countLeads(
  db: Db,
  subject: Subject,
  grouping: Grouping,
): Promise<Map<string, LeadCounts>> {
  const rows = await db.run<LeadCounts & { key: string }>(figures(subject, grouping));
  return new Map(rows.map((row) => [row.key, row]));
}

/** All figures come from one scan: of an index that covers them, or of the leads that pass the filters. */
function figures(subject: Subject, grouping: Grouping, kinds: readonly Median[] = []): Knex.QueryBuilder {
  return knex('leads')
    .select(countColumns.map((column) => sql`${counts[column]}::int as ${knex.ref(column)}`))
    .select(kinds.map((kind) => sql`${medians[kind]} as ${knex.ref(kind)}`))
    .modify(narrow, 'created_at', subject)
    .modify(groupRows, grouping);
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
  const content = knex('content').select(
    'id',
    'title',
    'type',
    'status',
    sql`status = 'published' as is_kept`,
  );
  if (contentId !== undefined) applyAll(content, [refersTo('id', 'content')(contentId)]);
  return rankByLeads(db, figures(subject, 'content'), content);
}

/** Users who have leads or are active, by number of leads, descending, with the median seconds to first contact. */
export async function countLeadsOfUsers(
  db: Db,
  subject: Subject,
  userId: string | undefined,
): Promise<Performances<Pick<UserRow, 'id' | 'name'> & LeadCounts & { to_contacted: number | null }>> {
  const users = knex('users').select('id', 'name', { is_kept: 'active' });
  if (userId !== undefined) applyAll(users, [refersTo('id', 'user')(userId)]);
  return rankByLeads(db, figures(subject, 'assigned_user', ['to_contacted']), users, ['to_contacted']);
}

async function rankByLeads<Owner>(
  db: Db,
  leadsOfOwners: Knex.QueryBuilder,
  owners: Knex.QueryBuilder,
  kinds: readonly Median[] = [],
): Promise<Performances<Owner & LeadCounts>> {
  const rows = await db.run<Owner & LeadCounts & { total: number }>(
    knex
      .select('owners.*', ...kinds, sql`count(*) over ()::int as total`)
      .select(countColumns.map((column) => sql`coalesce(${knex.ref(column)}, 0) as ${knex.ref(column)}`))
      .from(owners.as('owners'))
      .leftJoin(leadsOfOwners.as('counts'), 'key', sql`id::text`)
      .where(sql`leads > 0 or is_kept`)
      .orderByRaw('coalesce(leads, 0) desc, id')
      .limit(MAX_ROWS),
  );
  return { rows, omitted: (rows[0]?.total ?? 0) - rows.length };
}
