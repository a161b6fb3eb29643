import type { Knex } from 'knex';
import type { Db } from '../db.ts';
import { knex, sql } from '../query.ts';
import { applyAll, condition } from './condition.ts';
import { type ListSource, orderOf, type PageRequest, pageOf } from './page.ts';

/** Up to this many hits are fetched and sorted directly. */
export const MAX_SORTED_HITS = 5_000;
/** With more hits, this many rows of the sort index are scanned for them first. */
const MAX_SCANNED_ROWS = 100_000;

/** The request with its search as a condition like the others. */
export function withSearch(request: PageRequest): PageRequest {
  const search = condition('search @@ search_query(?)', request.search);
  return { ...request, conditions: [{ ...search, isPlannedOnce: true }, ...request.conditions] };
}

/**
 * `total` and the page of a search with few hits; with more, total is MAX_SORTED_HITS + 1. All hits are planned to be
 * read, with the GIN index: for ORDER BY and LIMIT alone, the planner may scan the sort index, expecting to find hits
 * soon. That takes minutes for a rare word in a large table.
 */
export function fewHits({ table, columns }: ListSource, request: PageRequest): Knex.QueryBuilder {
  const { column } = request.sort;
  const hits = knex(table).select('id').modify(applyAll, request.conditions);
  if (column !== 'id') hits.select(column);
  const chosen = pageOf('few', ['id', column], { ...request, conditions: [] });
  const row = knex(table)
    .select([...columns])
    .where('id', knex.ref('chosen.id'))
    .limit(1);
  const page = sql`select found.* from ${chosen.as('chosen')} cross join lateral ${row.as('found')}`;
  return knex
    .withMaterialized('hit', hits)
    .withMaterialized('few', knex('hit').limit(MAX_SORTED_HITS + 1, { skipBinding: true }))
    .select('counted.total', 'page.*')
    .from(knex('few').select(sql`count(*)::int as total`).as('counted'))
    .joinRaw('left join lateral (?) as page on true', [page])
    .orderByRaw(orderOf(request));
}

/**
 * The page of a search with many hits. They are found early on the sort index, unless they all lie at its far end, like
 * those of one import. So the scan is bounded, and if it does not fill the page, the hits are sorted, which costs no more
 * than counting them.
 */
export async function manyHits<Row>(db: Db, source: ListSource, request: PageRequest): Promise<Row[]> {
  const { table, columns } = source;
  const { conditions, limit } = request;
  // LIMIT keeps the planner from flattening the subquery.
  const next = pageOf(table, ['*'], { ...request, conditions: [], limit: MAX_SCANNED_ROWS, offset: 0 });
  const scan = pageOf(next.as(table), columns, { ...request, after: undefined });
  const found = await db.run<Row>(scan);
  if (found.length === limit) return found;
  // So does OFFSET, and the inner query uses the GIN index.
  const hits = knex(table)
    .modify(applyAll, conditions)
    .offset(sql`0` as never);
  return db.run<Row>(pageOf(hits.as(table), columns, { ...request, conditions: [] }));
}
