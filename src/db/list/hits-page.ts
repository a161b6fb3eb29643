import type { Knex } from 'knex';
import { knex, sql } from '../query.ts';
import { applyAll } from './condition.ts';
import {
  type BoundRequest,
  chosenRow,
  type ListSource,
  type PageRequest,
  pageOf,
  withTotal,
} from './page.ts';
import { searchWithPhone, searchWords } from './search.ts';

/** Up to this many hits are fetched and sorted directly. */
export const MAX_SORTED_HITS = 5_000;

/** The request with its search, if any, as a condition. */
export function withSearch(source: ListSource, request: PageRequest): PageRequest {
  const { search, conditions } = request;
  if (search === undefined) return request;
  const matches = source.columns.includes('phone') ? searchWithPhone(search) : searchWords(search);
  return { ...request, conditions: [{ ...matches, isPlannedOnce: true, usesGin: true }, ...conditions] };
}

/**
 * `total` and the page if there are few hits. With more, total is MAX_SORTED_HITS + 1. Reads all hits through the GIN
 * index: with ORDER BY and LIMIT alone, the planner may scan the sort index instead, expecting hits soon. For a rare word or
 * tag in a large table, that takes minutes.
 */
export function fewHits(source: ListSource, request: BoundRequest): Knex.QueryBuilder {
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
