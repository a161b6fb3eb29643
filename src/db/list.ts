import type { Knex } from 'knex';
import { boundedPage } from './bounded-page.ts';
import {
  type CountableFilter,
  type Counters,
  daysOf,
  partsOf,
  type Selection,
  selectionOf,
} from './counters.ts';
import type { Db } from './db.ts';
import { type Query, run } from './statement.ts';

/** A fragment of a WHERE clause. `sql` is a constant; client input goes into `bindings` only. */
export interface Condition {
  sql: string;
  bindings: readonly Knex.RawBinding[];
  /** Set if one plan suits every value, so that a statement with this condition can be planned once. */
  name?: string;
  /** The same condition as a filter that counters can answer, if there is one. */
  filter?: CountableFilter;
}

/** A table with an `id`, and optionally a tsvector column `search` and counters of its rows. */
export interface ListSource {
  table: string;
  columns: readonly string[];
  counters?: Counters;
  /** SQL for a row's size in bytes, if a page may have to end early. */
  bytes?: string;
}

/** Sortable columns and their types in a cursor. The default is the first column, descending. */
export type SortableColumns = Record<string, 'timestamptz' | 'text' | 'bigint'>;

export interface ListRequest {
  conditions: readonly Condition[];
  search: string | undefined;
  sort: { column: string; type: SortableColumns[string]; descending: boolean };
  limit: number;
  offset: number;
  /** Continues after the row with this sort value and id (UUID). */
  after: { value: string; id: string } | undefined;
}

interface ListPage<Row> {
  rows: Row[];
  total: number;
  /** Row count of the full page; higher than `rows.length` if the rows are too large together. */
  found: number;
}

type Fetched<Row> = Row & { id: string | null; total: number; found?: number };

/** Up to this many hits are fetched and sorted directly. */
const MAX_SORTED_HITS = 5_000;
/** With more hits, this many rows of the sort index are scanned for them first. */
const MAX_SCANNED_ROWS = 100_000;

/** Fetches a page and the exact number of matching rows, both from the same snapshot unless there is a search. */
export function fetchPage<Row>(db: Db, source: ListSource, request: ListRequest): Promise<ListPage<Row>> {
  return request.search === undefined
    ? fetchSorted(db, source, request)
    : searchSorted(db, source, request, request.search);
}

/** Whether counters know the number of matching rows. */
export function isCounted({ counters }: ListSource, conditions: readonly Condition[]): boolean {
  const filters = conditions.map(({ filter }) => filter);
  return counters !== undefined && selectionOf(counters, filters) !== undefined;
}

/** The exact number of matching rows. */
export async function countRows(
  db: Db,
  source: ListSource,
  conditions: readonly Condition[],
): Promise<number> {
  const { parts } = partsFor(source, conditions);
  const [counted] = await run<{ total: number }>(db, {
    sql: `select coalesce(sum(matches), 0)::int as total from (${parts.sql}) part`,
    bindings: parts.bindings,
  });
  return counted?.total ?? 0;
}

async function fetchSorted<Row>(db: Db, source: ListSource, request: ListRequest): Promise<ListPage<Row>> {
  const { selection, parts } = partsFor(source, request.conditions);
  const byDay = selection !== undefined && isDeepPage(request);
  const whole = byDay ? dayPageOf(source, request, selection) : pageOf(source, request, request.conditions);
  const page = boundedPage(whole, source, orderBy(request));
  const sql = `
    with part as materialized (${parts.sql})
    select counted.total, page.*
    from (select coalesce(sum(matches), 0)::int as total from part) counted
    left join lateral (${page.sql}) page on true
    ${orderBy(request)}`;
  // A named statement is planned once; most filters need different plans for different values.
  const isPlannedOnce = request.conditions.every(({ name }) => name !== undefined);
  const name = isPlannedOnce ? nameOf(source, request, byDay) : undefined;
  const bindings = [...parts.bindings, ...page.bindings];
  const fetched = await run<Fetched<Row>>(db, { sql, bindings, name });
  const rows = fetched.filter(({ id }) => id !== null);
  return { total: fetched[0]?.total ?? 0, rows, found: rows[0]?.found ?? rows.length };
}

/** The number of matching rows (`matches`), by time range if counters know it. */
function partsFor(
  source: ListSource,
  conditions: readonly Condition[],
): { selection: Selection | undefined; parts: Query } {
  const filters = conditions.map(({ filter }) => filter);
  const selection = source.counters && selectionOf(source.counters, filters);
  const parts =
    selection === undefined
      ? countOf(source, conditions)
      : partsOf(selection, (...moments) => countOf(source, [...conditions, between(...moments)]));
  return { selection, parts };
}

/**
 * With search, ORDER BY and LIMIT in one query, the planner may scan the sort index, expecting to find hits soon: minutes
 * for a rare word in a large table. So the hits are counted first, using the GIN index, and their number decides. Many
 * hits are found early on the sort index, unless they all lie at its far end, like those of one import. So the scan is
 * bounded, and if it does not fill the page, the hits are sorted, which costs no more than the count.
 */
async function searchSorted<Row>(
  db: Db,
  source: ListSource,
  request: ListRequest,
  search: string,
): Promise<ListPage<Row>> {
  const conditions = [{ sql: 'search @@ search_query(?)', bindings: [search] }, ...request.conditions];
  const hits = where(conditions);
  const count = await run<{ matches: number }>(db, countOf(source, conditions));
  const total = count[0]?.matches ?? 0;
  if (total > MAX_SORTED_HITS) {
    const rows = await run<Row>(db, scanOf(source, request, conditions));
    if (rows.length === request.limit) return { total, rows, found: rows.length };
  }
  // OFFSET 0 keeps the planner from flattening the subquery, so that the inner query uses the GIN index.
  const fromHits = `(select * from ${source.table} ${hits.sql} offset 0) ${source.table}`;
  const page = pageOf({ ...source, table: fromHits }, request, []);
  const rows = await run<Row>(db, { ...page, bindings: [...hits.bindings, ...page.bindings] });
  return { total, rows, found: rows.length };
}

/** The page, searched in the next rows of the sort index only. LIMIT keeps the planner from flattening the subquery. */
function scanOf(source: ListSource, request: ListRequest, conditions: readonly Condition[]): Condition {
  const next = pageOf({ ...source, columns: ['*'] }, { ...request, limit: MAX_SCANNED_ROWS, offset: 0 }, []);
  const fromNext = `(${next.sql}) ${source.table}`;
  const page = pageOf({ ...source, table: fromNext }, { ...request, after: undefined }, conditions);
  return { sql: page.sql, bindings: [...next.bindings, ...page.bindings] };
}

function countOf({ table }: ListSource, conditions: readonly Condition[]): Query {
  const filtered = where(conditions);
  return {
    sql: `select count(*)::int as matches from ${table} ${filtered.sql}`,
    bindings: filtered.bindings,
  };
}

/** A page by creation time beyond the first, for which it pays to find its day first. */
function isDeepPage({ sort, offset, after }: ListRequest): boolean {
  return sort.column === 'created_at' && after === undefined && offset > 0;
}

/**
 * The page, found without scanning the rows before it: the counts by time range lead to its month or months, then to its
 * days, and only there are rows skipped. `part` is the CTE with the time ranges.
 */
function dayPageOf(source: ListSource, request: ListRequest, selection: Selection): Query {
  const { table, columns } = source;
  const { limit, offset, conditions } = request;
  const end = offset + limit;
  const days = daysOf(selection, 'near');
  // A hit lies within the requested dates; repeating that condition would mislead the planner.
  const rows = where([...conditions.filter(({ filter }) => filter?.column !== 'created_at'), isInHit]);
  const order = orderBy(request);
  const upto = `sum(matches) over (order by begins ${directionOf(request)})`;
  const isOfPage = 'where upto > ? and upto - matches < ?';
  return {
    sql: `
      with near as (
        select * from (select *, ${upto} as upto from part) ranked ${isOfPage}
      ), hit as (
        select begins, ends, upto - matches as before
        from (
          select *, (select min(upto - matches) from near) + ${upto} as upto
          from (
            select begins, ends, matches from near where not by_month
            union all
            select day.begins, day.ends, day.matches from near cross join lateral (${days.sql}) day where near.by_month
          ) day
        ) ranked
        ${isOfPage}
      )
      select found.*
      from (
        select row.id, row.created_at
        from hit cross join lateral (
          select id, created_at from ${table} ${rows.sql} ${order}
          limit ?::bigint - greatest(before, ?::bigint) offset greatest(?::bigint - before, 0)
        ) row
        ${order} limit ?
      ) chosen
      cross join lateral (select ${columns.join(', ')} from ${table} where id = chosen.id limit 1) found`,
    bindings: [offset, end, ...days.bindings, offset, end, ...rows.bindings, end, offset, offset, limit],
  };
}

const isInHit: Condition = {
  sql: 'created_at >= hit.begins and created_at < hit.ends',
  bindings: [],
};

function pageOf(source: ListSource, request: ListRequest, conditions: readonly Condition[]): Condition {
  const { sort, limit, offset, after } = request;
  const keyset: Condition[] =
    after === undefined
      ? []
      : [
          {
            sql: `(${sort.column}, id) ${sort.descending ? '<' : '>'} (?::${sort.type}, ?::uuid)`,
            bindings: [after.value, after.id],
          },
        ];
  const filtered = where([...conditions, ...keyset]);
  return {
    sql: `select ${source.columns.join(', ')} from ${source.table} ${filtered.sql}
      ${orderBy(request)} limit ? offset ?`,
    bindings: [...filtered.bindings, limit, offset],
  };
}

function between(begin: string, end: string): Condition {
  return { sql: 'created_at >= ?::timestamptz and created_at < ?::timestamptz', bindings: [begin, end] };
}

function orderBy(request: ListRequest): string {
  const direction = directionOf(request);
  return `order by ${request.sort.column} ${direction}, id ${direction}`;
}

function directionOf({ sort }: ListRequest): 'asc' | 'desc' {
  return sort.descending ? 'desc' : 'asc';
}

function where(conditions: readonly Condition[]): { sql: string; bindings: Knex.RawBinding[] } {
  return {
    sql: conditions.length === 0 ? '' : `where ${conditions.map(({ sql }) => sql).join(' and ')}`,
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

function nameOf({ table }: ListSource, request: ListRequest, byDay: boolean): string {
  const strategy = byDay ? 'by_day' : request.after === undefined ? 'page' : 'after';
  const filters = request.conditions.map(({ name }) => name);
  return ['list', table, request.sort.column, directionOf(request), strategy, ...filters].join('_');
}
