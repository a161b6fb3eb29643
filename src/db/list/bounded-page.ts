import type { Knex } from 'knex';
import { knex, sql } from '../query.ts';

/** Maximum size of a page in bytes, for tables with large rows. */
const MAX_BYTES = sql`${knex.raw(String(4 * 1024 * 1024))}`;

/**
 * Ends a page early, in this order, when its rows exceed MAX_BYTES together; the first row is always included. Each row
 * carries the row count of the full page (`found`). `bytes` is SQL for a row's size.
 */
export function boundedPage(
  page: Knex.QueryBuilder,
  columns: readonly string[],
  bytes: Knex.Raw,
  order: Knex.Raw,
): Knex.QueryBuilder {
  const ordered = sql`over (order by ${order} rows unbounded preceding)`;
  const measured = knex
    .select('*', sql`count(*) over ()::int as found`)
    .select(sql`row_number() ${ordered} as number`, sql`sum(${bytes}) ${ordered} as upto`)
    .from(page.as('page'));
  return knex
    .select(...columns, 'found')
    .from(measured.as('measured'))
    .where(sql`upto <= ${MAX_BYTES} or number = 1`)
    .orderByRaw(order);
}
