import type { Query } from './statement.ts';

/** Maximum size of a page in bytes, for tables with large rows. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Rows {
  columns: readonly string[];
  /** SQL for a row's size in bytes, if rows may be large. */
  bytes?: string;
}

/**
 * Ends a page early, in this order, when its rows exceed MAX_BYTES together; the first row is always included. Each row
 * carries the row count of the full page (`found`).
 */
export function boundedPage(page: Query, { columns, bytes }: Rows, order: string): Query {
  if (bytes === undefined) return page;
  return {
    ...page,
    sql: `select ${columns.join(', ')}, found
      from (
        select *, count(*) over ()::int as found, row_number() over ordered as number, sum(${bytes}) over ordered as upto
        from (${page.sql}) page
        window ordered as (${order} rows unbounded preceding)
      ) measured
      where number = 1 or upto <= ${MAX_BYTES}
      ${order}`,
  };
}
