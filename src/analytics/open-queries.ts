/** Queries about the leads that are open now. */
import { schemas } from '../../generated/limits.ts';
import type { Db } from '../db/db.ts';
import { applyAll, type Condition, condition } from '../db/list/condition.ts';
import { countRows, isCounted } from '../db/list/fetch-page.ts';
import { anyOf } from '../db/list/filters.ts';
import { knex, sql } from '../db/query.ts';
import { leads } from '../leads/queries.ts';
import type { LeadStatus, openStatuses } from '../leads/tables.ts';
import type { Sum } from './money.ts';
import { recorded, sumOf } from './sum-queries.ts';

/** For the planner, which knows the partial index only by constants. */
export const isOpen = condition(`status in ('new', 'contacted', 'qualified')`);

const isValued = condition('value_currency is not null');

export type OpenSum = Sum & { status: (typeof openStatuses)[number] };

/** Counts the leads in each status, from the counters if they cover the conditions. */
export async function countCurrent(
  db: Db,
  conditions: readonly Condition[],
): Promise<Map<LeadStatus, number>> {
  if (!isCounted(leads, conditions)) {
    const count = knex('leads').select('status', sql`count(*)::int as total`).groupBy('status');
    const rows = await db.run<{ status: LeadStatus; total: number }>(count.modify(applyAll, conditions));
    return new Map(rows.map(({ status, total }) => [status, total]));
  }
  const current = new Map<LeadStatus, number>();
  for (const status of schemas.LeadStatus.enum) {
    current.set(status, await countRows(db, leads, [...conditions, anyOf('status')([status])]));
  }
  return current;
}

/** Sums of the open leads with a value, by status and currency. */
export function sumOpen(db: Db, conditions: readonly Condition[]): Promise<OpenSum[]> {
  return db.run(sumOf(openParts(conditions), ['status']));
}

/**
 * The same by expected close, as `key`: a month (`2027-01`) from `first` to before `end`, else `overdue`, `later` or
 * `none`.
 */
export function sumOpenByMonth(
  db: Db,
  conditions: readonly Condition[],
  { first, end }: { first: string; end: string },
): Promise<(OpenSum & { key: string })[]> {
  const key = sql`case
    when period = 'infinity' then 'none'
    when period < ${`${first}-01`}::date then 'overdue'
    when period >= ${`${end}-01`}::date then 'later'
    else to_char(period, 'YYYY-MM')
  end as key`;
  return db.run(sumOf(openParts(conditions), ['status', key]));
}

function openParts(conditions: readonly Condition[]) {
  if (conditions.length === 0) return recorded('open');
  return [
    knex('leads')
      .select('status', 'value_currency as currency', sql`expected_month(expected_close_on) as period`)
      .select(sql`1 as total`, 'value_amount as amount')
      .modify(applyAll, [isOpen, isValued, ...conditions]),
  ];
}
