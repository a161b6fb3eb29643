import type { Knex } from 'knex';
import type { Db } from '../db.ts';
import { knex, sql } from '../query.ts';
import { applyAll, condition } from './condition.ts';
import { chosenRow, type ListSource, type PageRequest, pageOf, withTotal } from './page.ts';

/** Up to this many hits are fetched and sorted directly. */
export const MAX_SORTED_HITS = 5_000;
/** With more hits, this many rows of the sort index are scanned for them first. */
const MAX_SCANNED_ROWS = 100_000;

/** The request with its search, if it has one, as a condition like the others. */
export function withSearch(request: PageRequest): PageRequest {
  if (request.search === undefined) return request;
  const search = condition('search @@ search_query(?)', request.search);
  const conditions = [{ ...search, isPlannedOnce: true, usesGin: true }, ...request.conditions];
  return { ...request, conditions };
}

/**
 * `total` and the page if there are few hits; with more, total is MAX_SORTED_HITS + 1. All hits are planned to be read,
 * with the GIN index: for ORDER BY and LIMIT alone, the planner may scan the sort index, expecting to find hits soon.
 * That takes minutes for a rare word or tag in a large table.
 */
export function fewHits(source: ListSource, request: PageRequest): Knex.QueryBuilder {
  const { table } = source;
  const { column } = request.sort;
  const hits = knex(table).select('id', column).modify(applyAll, request.conditions);
  const chosen = pageOf('few', ['id', column], { ...request, conditions: [] });
  const total = knex('few').select(sql`count(*)::int as total`);
  const page = sql`select found.* from ${chosen.as('chosen')} cross join lateral ${chosenRow(source)}`;
  return withTotal(request, total, page)
    .withMaterialized('hit', hits)
    .withMaterialized('few', knex('hit').limit(MAX_SORTED_HITS + 1, { skipBinding: true }));
}

/**
 * The page if there are many hits, `total` of them. They are found early on the sort index, unless they all lie at its far
 * end, like those of one import. So the scan is bounded, and if it does not fill the page, the hits are sorted, which
 * costs no more than counting them.
 */
export async function manyHits<Row>(
  db: Db,
  source: ListSource,
  request: PageRequest,
  total: number,
): Promise<Row[]> {
  const { table, columns } = source;
  const { conditions, sort, offset } = request;
  if (offset >= total) return [];
  const limit = Math.min(request.limit, total - offset);
  if (offset > total / 2) {
    // Nearer to the other end.
    const reversed = { ...sort, descending: !sort.descending };
    const mirrored = { ...request, sort: reversed, limit, offset: total - offset - limit };
    return (await manyHits<Row>(db, source, mirrored, total)).reverse();
  }
  // The planner knows what is so common: it skips rows of the sort index, or sorts the hits if that costs less.
  if (offset > MAX_SORTED_HITS && total > MAX_SCANNED_ROWS) {
    return db.run<Row>(pageOf(table, columns, request));
  }
  // LIMIT keeps the planner from flattening the subquery.
  const next = pageOf(table, ['*'], { ...request, conditions: [], limit: MAX_SCANNED_ROWS, offset: 0 });
  const scan = pageOf(next.as(table), columns, { ...request, after: undefined });
  const found = await db.run<Row>(scan);
  if (found.length >= limit) return found;
  // So does OFFSET, and the inner query uses the GIN index.
  const hits = knex(table)
    .modify(applyAll, conditions)
    .offset(sql`0` as never);
  return db.run<Row>(pageOf(hits.as(table), columns, { ...request, conditions: [] }));
}
