import type { Knex } from 'knex';
import { knex, sql } from '../query.ts';
import { applyAll } from './condition.ts';
import { daysOf, type Selection } from './counters.ts';
import {
  type BoundRequest,
  chosenRow,
  directionOf,
  type ListSource,
  orderOf,
  type PageRequest,
} from './page.ts';

/** A page by creation time, but not the first: finding its day first is faster. */
export function isPageByDay({ sort, offset, after }: PageRequest): boolean {
  return sort.column === 'created_at' && after === undefined && offset > 0;
}

/**
 * Finds the page without scanning the rows before it. The counts by time range lead to its months, then to its days. Rows
 * are only skipped within these. `part` is the CTE with the time ranges.
 */
export function dayPageOf(source: ListSource, request: BoundRequest, selection: Selection): Knex.Raw {
  const { offset, conditions, sort } = request;
  const limit = knex.raw(String(request.limit));
  const order = orderOf(request);
  const upto = sql`sum(matches) over (order by begins ${directionOf(sort)})`;
  const isOfPage = sql`upto > ${offset}::bigint and upto - matches < ${offset}::bigint + ${limit}`;
  const rows = knex(source.table).select('id', 'created_at').orderByRaw(order);
  // A hit lies within the requested dates; repeating that condition would mislead the planner.
  applyAll(
    rows,
    conditions.filter(({ filter }) => filter?.column !== 'created_at'),
  );
  rows.where(sql`created_at >= hit.begins and created_at < hit.ends`);
  return sql`
    with near as (
      select * from (select *, ${upto} as upto from part) ranked where ${isOfPage}
    ), hit as (
      select begins, ends, upto - matches as before
      from (
        select *, (select min(upto - matches) from near) + ${upto} as upto
        from (
          select begins, ends, matches from near where not by_month
          union all
          select day.begins, day.ends, day.matches
          from near cross join lateral ${daysOf(selection, 'near.begins', 'near.ends').as('day')} where near.by_month
        ) day
      ) ranked
      where ${isOfPage}
    )
    select found.*
    from (
      select row.id, row.created_at
      from hit cross join lateral (
        ${rows}
        limit ${offset}::bigint + ${limit} - greatest(before, ${offset}::bigint) offset greatest(${offset}::bigint - before, 0)
      ) row
      order by ${order} limit ${limit}
    ) chosen
    cross join lateral ${chosenRow(source)}`;
}
