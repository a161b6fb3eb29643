/** Queries about the outcome of the leads created in a window. */
import type { Knex } from 'knex';
import type { ContentRow } from '../content/tables.ts';
import type { Db } from '../db/db.ts';
import { applyAll } from '../db/list/condition.ts';
import { refersTo } from '../db/list/filters.ts';
import { knex, sql } from '../db/query.ts';
import type { UserRow } from '../users/tables.ts';
import { type Grouping, groupRows, narrow, quantile, type Subject, unionAll } from './subject-queries.ts';

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

/** The leads that have both milestones of a median. */
const measured = {
  to_contacted: sql`contacted_at is not null`,
  to_qualified: sql`qualified_at is not null`,
  to_won: sql`won_at is not null`,
  to_closed: sql`status in ('won', 'lost')`,
};

/** Median seconds between two milestones; null if no lead has both. */
const medians = {
  to_contacted: median('created_at', 'contacted_at', measured.to_contacted),
  to_qualified: median('contacted_at', 'qualified_at', measured.to_qualified),
  to_won: median('qualified_at', 'won_at', measured.to_won),
  to_closed: median('created_at', 'status_changed_at', measured.to_closed),
};

function median(earlier: string, later: string, where: Knex.Raw): Knex.Raw {
  const seconds = sql`greatest(0, floor(date_part('epoch', ${knex.ref(later)} - ${knex.ref(earlier)})))`;
  return quantile(0.5, seconds, where);
}

type Median = keyof typeof medians;
type Figure = keyof typeof counts | Median;
type LeadFigures<Kind extends Median = never> = LeadCounts & Record<Kind, number | null>;

/** Counts the leads created in the window, and takes the medians. */
export async function summarizeLeads<Kind extends Median>(
  db: Db,
  subject: Subject,
  kinds: readonly Kind[],
): Promise<LeadFigures<Kind>> {
  const isFiltered = subject.conditions.length > 0;
  const [row] = await db.run<LeadFigures<Kind>>(
    isFiltered ? figures(subject, 'none', [...countColumns, ...kinds]) : figuresByBranch(subject, kinds),
  );
  return row as LeadFigures<Kind>;
}

/** Without filters, indexes have all that is read: each median takes the smallest, and they sort side by side. */
function figuresByBranch(subject: Subject, kinds: readonly Median[]): Knex.QueryBuilder {
  const all = [...countColumns, ...kinds];
  const branches = kinds.map((kind) => figures(subject, 'none', [kind], all).where(measured[kind]));
  return knex
    .from(unionAll([figures(subject, 'none', countColumns, all), ...branches]).as('branches'))
    .select(all.map((column) => sql`max(${knex.ref(column)}) as ${knex.ref(column)}`));
}

/** Counts the leads created in the window by group. A group without leads is missing. */
export async function countLeads(
  db: Db,
  subject: Subject,
  grouping: Grouping,
): Promise<Map<string, LeadCounts>> {
  const rows = await db.run<LeadCounts & { key: string }>(figures(subject, grouping, countColumns));
  return new Map(rows.map((row) => [row.key, row]));
}

/** Selects all of the columns in one scan: those to compute, and null for the others. */
function figures(
  subject: Subject,
  grouping: Grouping,
  computed: readonly Figure[],
  columns = computed,
): Knex.QueryBuilder {
  const figure = { ...counts, ...medians };
  return knex('leads')
    .select(
      columns.map((column) => {
        const value = computed.includes(column) ? figure[column] : sql`null`;
        return sql`${value}::int as ${knex.ref(column)}`;
      }),
    )
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
  return rankByLeads(db, figures(subject, 'content', countColumns), content);
}

/** Users who have leads or are active, by number of leads, descending, with the median seconds to first contact. */
export async function countLeadsOfUsers(
  db: Db,
  subject: Subject,
  userId: string | undefined,
): Promise<Performances<Pick<UserRow, 'id' | 'name'> & LeadCounts & { to_contacted: number | null }>> {
  const users = knex('users').select('id', 'name', { is_kept: 'active' });
  if (userId !== undefined) applyAll(users, [refersTo('id', 'user')(userId)]);
  return rankByLeads(db, figures(subject, 'assigned_user', [...countColumns, 'to_contacted']), users, [
    'to_contacted',
  ]);
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
