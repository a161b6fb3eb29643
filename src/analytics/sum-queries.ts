/** Queries about the value of leads. */
import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { applyAll, type Condition, condition } from '../db/list/condition.ts';
import { anyOf } from '../db/list/filters.ts';
import { knex, sql } from '../db/query.ts';
import { type LeadStatus, openStatuses } from '../leads/tables.ts';
import { DAY } from '../values/time.ts';
import { narrow, type ReportSubject } from './subject-queries.ts';

const closedStatuses = ['won', 'lost'] as const satisfies LeadStatus[];

const isValued = condition('value_currency is not null');

/** The leads of one status and currency: their number and exact sum. */
export interface Sum {
  status: LeadStatus;
  /** `none` for leads without a value. */
  currency: string;
  leads: number;
  amount: string;
}

/** Sums of the open leads with a value, by status and currency. */
export function sumOpen(db: Db, conditions: readonly Condition[]): Promise<Sum[]> {
  return db.run(sumOf(openParts(conditions), ['status', 'currency']));
}

/**
 * The same by expected close, as `key`: a month (`2027-01`) from `first` to before `end`, else `overdue`, `later` or
 * `none`.
 */
export function sumOpenByMonth(
  db: Db,
  conditions: readonly Condition[],
  { first, end }: { first: string; end: string },
): Promise<(Sum & { key: string })[]> {
  const key = sql`case
    when period = 'infinity' then 'none'
    when period < ${`${first}-01`}::date then 'overdue'
    when period >= ${`${end}-01`}::date then 'later'
    else to_char(period, 'YYYY-MM')
  end as key`;
  return db.run(sumOf(openParts(conditions), ['status', 'currency', key]));
}

function openParts(conditions: readonly Condition[]): Knex.QueryBuilder[] {
  const open = anyOf('status')(openStatuses);
  if (conditions.length === 0) return recorded('open');
  return [
    knex('leads')
      .modify(selectParts)
      .modify(applyAll, [open, isValued, ...conditions]),
  ];
}

/** Sums of the leads that were won or lost in the window and still are, by currency and last status `reached` before. */
export function sumClosed(db: Db, subject: ReportSubject): Promise<(Sum & { reached: string })[]> {
  const { begin, end, conditions } = subject;
  const closed = anyOf('status')(closedStatuses);
  const closedIn = (begin: number, end: number) =>
    knex('leads')
      .modify(selectParts)
      .modify(narrow, 'status_changed_at', { begin, end, conditions: [closed, ...conditions] });
  const [first, last] = [Math.ceil(begin / DAY) * DAY, Math.floor(end / DAY) * DAY];
  const parts =
    conditions.length > 0 || first >= last
      ? [closedIn(begin, end)]
      : [
          ...recorded('closed').map((rows) =>
            rows.where('period', '>=', dayOf(first)).where('period', '<', dayOf(last)),
          ),
          closedIn(begin, first),
          closedIn(last, end),
        ];
  return db.run(sumOf(parts, ['status', 'currency', 'reached']));
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** `status, currency, period, reached, total, amount`: the counters, and the changes that are not folded yet. */
function recorded(kind: 'open' | 'closed'): Knex.QueryBuilder[] {
  return ['lead_counters', 'lead_counter_changes'].map((table) =>
    knex(table)
      .select('status', 'key as currency', 'period', 'reached', 'total', 'amount')
      .where('kind', kind),
  );
}

/** The same columns for each lead. */
function selectParts(leads: Knex.QueryBuilder): void {
  leads.select(
    'status',
    sql`coalesce(value_currency, 'none') as currency`,
    sql`lead_value_period(status, status_changed_at, expected_close_on) as period`,
    sql`lead_reached(status, new_at, contacted_at, qualified_at, won_at) as reached`,
    sql`1 as total`,
    sql`coalesce(value_amount, 0) as amount`,
  );
}

function sumOf(parts: Knex.QueryBuilder[], keys: (string | Knex.Raw)[]): Knex.QueryBuilder {
  return knex
    .select(...keys, sql`sum(total)::int as leads`, sql`sum(amount)::text as amount`)
    .from(knex.unionAll(parts).as('part'))
    .groupByRaw(keys.map((_, index) => index + 1).join())
    .having(sql`sum(total) <> 0`);
}
