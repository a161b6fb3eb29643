/** Queries about the leads created in a window, whatever happened to them later. */
import type { Knex } from 'knex';
import type { ContentRow } from '../content/tables.ts';
import type { Db } from '../db/db.ts';
import { applyAll } from '../db/list/condition.ts';
import { refersTo } from '../db/list/filters.ts';
import { knex, sql } from '../db/query.ts';
import type { UserRow } from '../users/tables.ts';
import { type Grouping, groupRows, narrow, type ReportSubject, unionAll } from './subject-queries.ts';

/** Counts of all leads, of leads that ever reached a status or a later one, and of leads currently in a status. */
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
type Count = keyof typeof counts;

const countColumns = Object.keys(counts) as Count[];

export const noLeads = Object.fromEntries(countColumns.map((column) => [column, 0])) as LeadCounts;

export type LeadCounts = Record<Count, number>;

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

/**
 * In whole seconds. The mean of the two middle values, which are the same value if the number is odd; the second fraction
 * finds the upper one. percentile_cont() would do the same, but takes 50 % longer, since it sorts floating point numbers.
 */
function median(earlier: string, later: string, where: Knex.Raw): Knex.Raw {
  const seconds = sql`greatest(0, floor(date_part('epoch', ${knex.ref(later)} - ${knex.ref(earlier)}))::int)`;
  const middle = sql`percentile_disc(array[0.5, 0.500000001]) within group (order by ${seconds}) filter (where ${where})`;
  return sql`round(((${middle})[1] + (${middle})[2]::numeric) / 2)`;
}

type Median = keyof typeof medians;
type Figure = Count | Median;
type LeadFigures<Kind extends Median = never> = LeadCounts & Record<Kind, number | null>;

/** Counts the leads created in the window, and computes the medians. */
export async function summarizeLeads<Kind extends Median>(
  db: Db,
  subject: ReportSubject,
  kinds: readonly Kind[],
): Promise<LeadFigures<Kind>> {
  const [row] = await db.run<LeadFigures<Kind>>(countAndMeasure(subject, 'none', countColumns, kinds));
  return row as LeadFigures<Kind>;
}

/**
 * Counts and medians of each group. Without filters, index-only scans suffice: the counts and each median use the smallest
 * index, and run in parallel.
 */
function countAndMeasure(
  subject: ReportSubject,
  grouping: Grouping,
  counted: readonly Count[],
  kinds: readonly Median[],
): Knex.QueryBuilder {
  const all = [...counted, ...kinds];
  if (subject.conditions.length > 0) return figures(subject, grouping, all);
  const branches = kinds.map((kind) => figures(subject, grouping, [kind], all).where(measured[kind]));
  return knex
    .from(unionAll([figures(subject, grouping, counted, all), ...branches]).as('branches'))
    .select('key')
    .select(all.map((column) => sql`max(${knex.ref(column)}) as ${knex.ref(column)}`))
    .groupBy('key');
}

/** Counts the leads created in the window by group. A group without leads is missing. */
export async function countLeads(
  db: Db,
  subject: ReportSubject,
  grouping: Grouping,
): Promise<Map<string, LeadCounts>> {
  const rows = await db.run<LeadCounts & { key: string }>(figures(subject, grouping, countColumns));
  return new Map(rows.map((row) => [row.key, row]));
}

/** Computes some of the columns in one scan. The others are null. */
function figures(
  subject: ReportSubject,
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

/** The groups with the most leads. */
export async function countLeadsRanked(
  db: Db,
  subject: ReportSubject,
  grouping: Grouping,
): Promise<Performances<LeadCounts & { key: string }>> {
  const rows = await db.run<LeadCounts & { key: string; total: number }>(
    knex
      .select('*', sql`count(*) over ()::int as total`)
      .from(figures(subject, grouping, countColumns).as('counts'))
      .orderByRaw('leads desc, key')
      .limit(MAX_ROWS),
  );
  return { rows, total: rows[0]?.total ?? 0 };
}

interface Performances<Row> {
  /** At most MAX_ROWS. */
  rows: Row[];
  total: number;
}

const MAX_ROWS = 1_000;

/** Content that has leads or is published, most leads first. */
export function countLeadsOfContent(
  db: Db,
  subject: ReportSubject,
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
  return rankByLeads(db, figures(subject, 'content', countColumns), content, countColumns);
}

const userCounts = ['leads', 'reached_contacted', 'in_won', 'in_lost'] as const;

type UserFigures = Pick<LeadCounts, (typeof userCounts)[number]> & { to_contacted: number | null };

/** The names of users, by id. The key `none` has no name. */
export async function findUserNames(db: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const ids = keys.filter((key) => key !== 'none');
  const users = await db.run<Pick<UserRow, 'id' | 'name'>>(
    knex('users').select('id', 'name').where(sql`id = any(${ids}::uuid[])`),
  );
  return new Map(users.map(({ id, name }) => [id, name]));
}

/** Users who have leads or are active, most leads first, with the median seconds to first contact. */
export async function countLeadsOfUsers(
  db: Db,
  subject: ReportSubject,
  userId: string | undefined,
): Promise<Performances<Pick<UserRow, 'id' | 'name'> & UserFigures>> {
  const users = knex('users').select('id', 'name', { is_kept: 'active' });
  if (userId !== undefined) applyAll(users, [refersTo('id', 'user')(userId)]);
  const leads = countAndMeasure(subject, 'assigned_user', userCounts, ['to_contacted']);
  return rankByLeads(db, leads, users, userCounts, ['to_contacted']);
}

async function rankByLeads<Row>(
  db: Db,
  leadsOfOwners: Knex.QueryBuilder,
  owners: Knex.QueryBuilder,
  counted: readonly Count[],
  kinds: readonly Median[] = [],
): Promise<Performances<Row>> {
  const rows = await db.run<Row & { total: number }>(
    knex
      .select('owners.*', ...kinds, sql`count(*) over ()::int as total`)
      .select(counted.map((column) => sql`coalesce(${knex.ref(column)}, 0) as ${knex.ref(column)}`))
      .from(owners.as('owners'))
      .leftJoin(leadsOfOwners.as('counts'), 'key', sql`id::text`)
      .where(sql`leads > 0 or is_kept`)
      .orderByRaw('coalesce(leads, 0) desc, id')
      .limit(MAX_ROWS),
  );
  return { rows, total: rows[0]?.total ?? 0 };
}
