/** Queries about the sales cycles that were closed in a window, as they were then. */
import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { knex, sql } from '../db/query.ts';
import type { SalesCycleRow } from '../leads/sales-cycles/tables.ts';
import { DAY } from '../values/time.ts';
import type { Sum } from './money.ts';
import { narrow, ofCycles, type ReportSubject } from './subject-queries.ts';
import { recorded, sumOf } from './sum-queries.ts';

/** `reached` is the furthest status, or `none` for those that arrived as lost. */
export type ClosedSum = Sum & {
  status: 'won' | 'lost';
  reached: NonNullable<SalesCycleRow['furthest_status']> | 'none';
};

/** Sums of the closed cycles, by outcome, currency and furthest status. */
export function sumClosed(db: Db, subject: ReportSubject): Promise<ClosedSum[]> {
  const { begin, end, cycleConditions } = subject;
  const closedIn = (begin: number, end: number) => closedParts({ ...subject, begin, end });
  const [first, last] = [Math.ceil(begin / DAY) * DAY, Math.floor(end / DAY) * DAY];
  const parts =
    cycleConditions.length > 0 || first >= last
      ? [closedIn(begin, end)]
      : [
          ...recorded('closed').map((rows) =>
            rows.where('period', '>=', dayOf(first)).where('period', '<', dayOf(last)),
          ),
          closedIn(begin, first),
          closedIn(last, end),
        ];
  return db.run(sumOf(parts, ['status', 'reached']));
}

function closedParts(subject: ReportSubject): Knex.QueryBuilder {
  return knex('sales_cycles')
    .select('status', sql`coalesce(value_currency, 'none') as currency`, sql`utc_date(closed_at) as period`)
    .select(sql`coalesce(furthest_status, 'none') as reached`)
    .select(sql`1 as total`, sql`coalesce(value_amount, 0) as amount`)
    .modify(narrow, 'closed_at', ofCycles(subject));
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
