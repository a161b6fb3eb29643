import type { Knex } from 'knex';
import { knex, sql } from '../query.ts';

/** Maximum size of a page in bytes, for tables with large rows. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Ends a page early, after the first row that withinBound() leaves out. Each row has the page's size up to and including
 * itself (`upto`). `bytes` is SQL for a row's size.
 */
export function boundedPage(
  page: Knex.QueryBuilder,
  columns: readonly string[],
  bytes: Knex.Raw,
  order: Knex.Raw,
): Knex.QueryBuilder {
  const ordered = sql`over (order by ${order} rows unbounded preceding)`;
  const measured = knex
    .select('*', sql`sum(${bytes}) ${ordered} as upto`, sql`row_number() ${ordered} as number`)
    .from(page.as('page'));
  return knex
    .select(...columns, 'upto')
    .from(measured.as('measured'))
    .where(sql`upto - (${bytes}) <= ${knex.raw(String(MAX_BYTES))} or number = 2`)
    .orderByRaw(order);
}

/** The first rows that together don't exceed MAX_BYTES, at least one. */
export function withinBound<Row extends { upto?: string }>(rows: readonly Row[]): Row[] {
  return rows.filter(({ upto = 0 }, index) => index === 0 || Number(upto) <= MAX_BYTES);
}
