import type { Knex } from 'knex';
import type { Db } from '../db.ts';
import { knex, sql } from '../query.ts';
import { boundedPage } from './bounded-page.ts';
import { applyAll, isUnordered } from './condition.ts';
import { chosenRow, type ListSource, orderOf, type PageRequest, pageOf } from './page.ts';

/** Offset from which a page is fetched only after the matching rows were counted. */
const MAX_SKIPPED = 1_000;

/** Whether the total should be known before the page is fetched. */
export function isDeepPage({ offset }: PageRequest): boolean {
  return offset > MAX_SKIPPED;
}

/**
 * The page, given the number of matching rows. Skips rows from the nearer end of the list, and reads whole rows only for the
 * page itself. PostgreSQL can skip rows along the sort index, past rows that don't match, or sort all matching rows. The
 * planner assumes that matching rows are spread evenly, so it may choose the index even if the first match is minutes away.
 */
export async function countedPage<Row>(
  db: Db,
  source: ListSource,
  request: PageRequest,
  total: number,
): Promise<Row[]> {
  const { table, columns, sortable } = source;
  if (request.offset >= total) return [];
  const near = fromNearerEnd(request, total);
  const { conditions, sort, limit } = near;
  if (source.isNarrow) {
    const page = pageOf(table, columns, near).as('page');
    return db.run<Row>(knex.select('*').from(page).orderByRaw(orderOf(request)));
  }
  const isSearched = isUnordered(conditions, sort.column);
  const read = (chosen: Knex.QueryBuilder) => db.run<Row>(wholeRows(source, request, chosen));
  const skipAlongIndex = () => read(pageOf(table, ['id'], near));
  // Indexes for filters have the default order.
  if (conditions.length === 0 || (!isSearched && sort.column === Object.keys(sortable)[0])) {
    return skipAlongIndex();
  }
  const expected = Math.ceil((near.offset + limit) * ((await rowsOf(db, table, total)) / total));
  if (expected <= 2 * total) {
    if (!isSearched) return skipAlongIndex();
    // Bounded, since all matching rows may be at the far end, like those of one import. Reading all of them costs no less.
    const most = Math.max(2 * expected, total);
    const filled = conditions.filter(
      ({ ofValue }) => ofValue?.is === 'present' && ofValue.column === sort.column,
    );
    const next = pageOf(table, ['*'], { ...near, conditions: filled, limit: most, offset: 0 });
    const found = await read(pageOf(next.as(table), ['id'], { ...near, after: undefined }));
    if (found.length >= limit) return found;
  }
  // OFFSET 0 keeps the planner from flattening the subquery.
  const matching = knex(table).select('id', sort.column).modify(applyAll, conditions);
  return read(pageOf(sql`(${matching} offset 0) as ${knex.ref(table)}`, ['id'], { ...near, conditions: [] }));
}

/** The same page, counted from the other end of the list if that is nearer. */
function fromNearerEnd(request: PageRequest, total: number): PageRequest {
  const { sort, offset, after } = request;
  if (after !== undefined) return request;
  const limit = Math.min(request.limit, total - offset);
  if (offset <= total / 2) return { ...request, limit };
  const reversed = { ...sort, descending: !sort.descending };
  return { ...request, limit, sort: reversed, offset: total - offset - limit };
}

/** The rows with the chosen ids, in the requested order. */
function wholeRows(source: ListSource, request: PageRequest, chosen: Knex.QueryBuilder): Knex.QueryBuilder {
  const page = knex
    .select('found.*')
    .from(chosen.as('chosen'))
    .joinRaw('cross join lateral ?', [sql`${chosenRow(source)}`]);
  const order = orderOf(request);
  return source.bytes === undefined
    ? knex.select('*').from(page.as('page')).orderByRaw(order)
    : boundedPage(page, source.columns, source.bytes, order);
}

/** An estimate of the table's rows, or the number of matching rows if PostgreSQL has not analyzed the table yet. */
async function rowsOf(db: Db, table: string, matching: number): Promise<number> {
  const counting = knex.raw('select reltuples as rows from pg_class where oid = ?::regclass', [table]);
  const [counted] = await db.run<{ rows: number }>(counting);
  return Math.max(counted?.rows ?? 0, matching);
}
