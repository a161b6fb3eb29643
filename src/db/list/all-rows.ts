import { knex, type Query, sql } from '../query.ts';
import { applyAll, isUnordered } from './condition.ts';
import { withSearch } from './hits-page.ts';
import { chosenRow, type ListSource, orderOf, type PageRequest } from './page.ts';

/** Selects rows of a list, and their order. */
export type RowsRequest = Pick<PageRequest, 'conditions' | 'search' | 'sort'>;

/**
 * All matching rows of a list, optimised for the first rows. All hits in a GIN index are
 * collected before the first is read. Otherwise the planner might search for them along the sort index, for minutes if
 * they are rare.
 */
export function allRows<Row>(source: ListSource, request: RowsRequest): Query<Row> {
  const { table, columns } = source;
  const { conditions, sort } = withSearch(source, { ...request, limit: 0, offset: 0, after: undefined });
  if (!isUnordered(conditions, sort.column)) {
    return knex(table)
      .select([...columns])
      .modify(applyAll, conditions)
      .orderByRaw(orderOf(request)) as Query<Row>;
  }
  const hits = knex(table).select('id', sort.column).modify(applyAll, conditions);
  const chosen = knex.select('*').from('hit').orderByRaw(orderOf(request)).as('chosen');
  return knex
    .withMaterialized('hit', hits)
    .select('found.*')
    .from(chosen)
    .joinRaw('cross join lateral ?', [sql`${chosenRow(source)}`]) as Query<Row>;
}
