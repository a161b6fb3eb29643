import type { Knex } from 'knex';
import { run } from './statement.ts';

/** A piece of a WHERE clause. `sql` is a constant of ours; what a client sent stands in `bindings` only. */
export interface Condition {
  sql: string;
  bindings: readonly Knex.RawBinding[];
  /** Given when one plan is good for every value, so that a statement with it may be planned once. */
  name?: string;
}

/** What is listed: a table with an `id`, and perhaps a tsvector column `search`. */
export interface ListSource {
  table: string;
  columns: readonly string[];
}

/** The columns that can be sorted by, and how they are written in a cursor. The first one, descending, is the default. */
export type SortableColumns = Record<string, 'timestamptz' | 'text' | 'bigint'>;

export interface ListRequest {
  conditions: readonly Condition[];
  search: string | undefined;
  sort: { column: string; type: SortableColumns[string]; descending: boolean };
  limit: number;
  offset: number;
  /** Continues behind the row with this sort value and id (uuid). */
  after: { value: string; id: string } | undefined;
}

export interface ListPage<Row> {
  rows: Row[];
  total: number;
}

/** Up to this many hits are fetched and sorted at once. */
const FEW_HITS = 5_000;
/** More hits than that are looked for among this many rows first, in the order of the sort index. */
const WALKED_ROWS = 100_000;

/** One page and the exact number of rows that match, both from the same snapshot where there is no search. */
export function fetchPage<Row>(db: Knex, source: ListSource, request: ListRequest): Promise<ListPage<Row>> {
  return request.search === undefined
    ? fetchSorted(db, source, request)
    : searchSorted(db, source, request, request.search);
}

async function fetchSorted<Row>(db: Knex, source: ListSource, request: ListRequest): Promise<ListPage<Row>> {
  const counted = where(request.conditions);
  const page = pageOf(source, request, request.conditions);
  const sql = `
    select counted.total, page.*
    from (select count(*)::int as total from ${source.table} ${counted.sql}) counted
    left join lateral (${page.sql}) page on true
    ${orderBy(request)}`;
  // A named statement is planned once; most filters want another plan for another value.
  const isOnePlan = request.conditions.every((condition) => condition.name !== undefined);
  const name = isOnePlan ? nameOf(source, request) : undefined;
  const bindings = [...counted.bindings, ...page.bindings];
  const rows = await run<Row & { total: number; id: string | null }>(db, { sql, bindings, name });
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) };
}

/**
 * Search, ORDER BY and LIMIT in one query would let the planner walk the sort index in the hope of soon meeting a hit:
 * minutes for a rare word in a large table. So the hits are counted first, through the GIN index, and their number
 * decides. Many hits are soon met on the sort index, unless they all lie at its far end, as those of one import do; so
 * the walk is a short one, and where it does not fill the page the hits are sorted, which costs no more than the count.
 */
async function searchSorted<Row>(
  db: Knex,
  source: ListSource,
  request: ListRequest,
  search: string,
): Promise<ListPage<Row>> {
  const conditions = [{ sql: 'search @@ search_query(?)', bindings: [search] }, ...request.conditions];
  const hits = where(conditions);
  const count = await run<{ total: number }>(db, {
    sql: `select count(*)::int as total from ${source.table} ${hits.sql}`,
    bindings: hits.bindings,
  });
  const total = count[0]?.total ?? 0;
  if (total > FEW_HITS) {
    const rows = await run<Row>(db, walkOf(source, request, conditions));
    if (rows.length === request.limit) return { total, rows };
  }
  // OFFSET 0 keeps the planner from merging the two levels, which leaves it the GIN index for the inner one.
  const fromHits = `(select * from ${source.table} ${hits.sql} offset 0) ${source.table}`;
  const page = pageOf({ ...source, table: fromHits }, request, []);
  const rows = await run<Row>(db, { ...page, bindings: [...hits.bindings, ...page.bindings] });
  return { total, rows };
}

/** The page as far as it lies within the next rows of the sort index; LIMIT keeps the planner from merging the levels. */
function walkOf(source: ListSource, request: ListRequest, conditions: readonly Condition[]): Condition {
  const next = pageOf({ ...source, columns: ['*'] }, { ...request, limit: WALKED_ROWS, offset: 0 }, []);
  const fromNext = `(${next.sql}) ${source.table}`;
  const page = pageOf({ ...source, table: fromNext }, { ...request, after: undefined }, conditions);
  return { sql: page.sql, bindings: [...next.bindings, ...page.bindings] };
}

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

function orderBy({ sort }: ListRequest): string {
  const direction = sort.descending ? 'desc' : 'asc';
  return `order by ${sort.column} ${direction}, id ${direction}`;
}

function where(conditions: readonly Condition[]): { sql: string; bindings: Knex.RawBinding[] } {
  return {
    sql: conditions.length === 0 ? '' : `where ${conditions.map(({ sql }) => sql).join(' and ')}`,
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

function nameOf({ table }: ListSource, { sort, after, conditions }: ListRequest): string {
  const order = `${sort.column}_${sort.descending ? 'desc' : 'asc'}${after === undefined ? '' : '_after'}`;
  return ['list', table, order, ...conditions.map(({ name }) => name)].join('_');
}
