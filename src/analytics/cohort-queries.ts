/** Queries about the leads created in a window, whatever happened to them later. */
import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { one } from '../db/db.ts';
import { knex, sql } from '../db/query.ts';
import { medianSeconds } from './median-queries.ts';
import { narrow, type ReportSubject, unionAll } from './subject-queries.ts';

/** Counts of all leads, of those that ever reached a status or a later one, and of those that are lost or open now. */
const counts = {
  leads: sql`count(*)::int`,
  new: sql`count(new_at)::int`,
  contacted: sql`count(contacted_at)::int`,
  qualified: sql`count(qualified_at)::int`,
  won: sql`count(won_at)::int`,
  lost: sql`count(*) filter (where status = 'lost')::int`,
  open: sql`count(*) filter (where status not in ('won', 'lost'))::int`,
};

/** Median seconds until the next milestone; null if no lead has both. */
const medians = {
  to_contacted: { from: 'created_at', to: 'contacted_at' },
  to_qualified: { from: 'contacted_at', to: 'qualified_at' },
  to_won: { from: 'qualified_at', to: 'won_at' },
};

type Median = keyof typeof medians;

type Cohort = Record<keyof typeof counts, number> & Record<Median, number | null>;

const kinds = Object.keys(medians) as Median[];
const columns = [...Object.keys(counts), ...kinds];

/**
 * Counts the leads created in the window, and computes the medians. Without filters, index-only scans suffice: the counts and
 * each median use the smallest index, and run in parallel.
 */
export function measureCohort(db: Db, subject: ReportSubject): Promise<Cohort> {
  const measured = Object.fromEntries(kinds.map((kind) => [kind, medianOf(kind)]));
  const figures = (computed: Record<string, Knex.Raw>) =>
    knex('leads')
      .select(columns.map((column) => sql`${computed[column] ?? sql`null::int`} as ${knex.ref(column)}`))
      .modify(narrow, 'created_at', subject);
  if (subject.conditions.length > 0) return one(db, figures({ ...counts, ...measured }));
  const branches = kinds.map((kind) => figures({ [kind]: medianOf(kind) }).whereNotNull(medians[kind].to));
  return one(
    db,
    knex
      .from(unionAll([figures(counts), ...branches]).as('branches'))
      .select(columns.map((column) => sql`max(${knex.ref(column)}) as ${knex.ref(column)}`)),
  );
}

function medianOf(kind: Median): Knex.Raw {
  const { from, to } = medians[kind];
  return medianSeconds(from, to, `${to} is not null`);
}
