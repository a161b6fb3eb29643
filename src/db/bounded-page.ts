import type { Query } from './statement.ts';

/** More than that PostgreSQL does not send of a page whose rows may be large. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Rows {
  columns: readonly string[];
  /** The SQL of a row's size, where rows may be large. */
  bytes?: string;
}

/**
 * The rows of the page, in this order, as far as all together are not too large; the first one in any case. Each tells
 * how many the page has (`found`).
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
