import type { Knex } from 'knex';

/** A piece of a WHERE clause. `sql` is a constant of ours; what a client sent stands in `bindings` only. */
export interface Condition {
  sql: string;
  bindings: readonly Knex.RawBinding[];
}

/** What is listed: a table with an `id`, and perhaps a tsvector column `search`. */
export interface ListSource {
  table: string;
  columns: readonly string[];
}

export interface ListRequest {
  conditions: readonly Condition[];
  search: string | undefined;
  sort: { column: string; type: 'timestamptz' | 'text'; descending: boolean };
  limit: number;
  offset: number;
  /** Continues behind the row with this sort value and id (uuid). */
  after: { value: string; id: string } | undefined;
}

export interface ListPage<Row> {
  rows: Row[];
  total: number;
}

/** Up to this many hits are fetched and sorted; more are found by walking the sort index. */
const FEW_HITS = 5_000;

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
  // A named statement is planned once; only the unfiltered one is the same plan for every value.
  const name = request.conditions.length === 0 ? { name: nameOf(source, request) } : {};
  const result: { rows: (Row & { total: number; id: string | null })[] } = await db
    .raw(sql, [...counted.bindings, ...page.bindings])
    .options(name);
  return {
    total: result.rows[0]?.total ?? 0,
    rows: result.rows.filter((row) => row.id !== null),
  };
}

/**
 * Search, ORDER BY and LIMIT in one query would let the planner walk the sort index in the hope of soon meeting a hit:
 * minutes for a rare word in a large table. So the hits are counted first, through the GIN index, and their number decides.
 */
async function searchSorted<Row>(
  db: Knex,
  source: ListSource,
  request: ListRequest,
  search: string,
): Promise<ListPage<Row>> {
  const found = { sql: 'search @@ search_query(?)', bindings: [search] };
  const counted = where([found, ...request.conditions]);
  const count: { rows: { total: number }[] } = await db.raw(
    `select count(*)::int as total from ${source.table} ${counted.sql}`,
    counted.bindings,
  );
  const total = count.rows[0]?.total ?? 0;
  // "is true" hides the condition from the GIN index, which leaves the sort index to walk.
  const walked = { ...found, sql: `(${found.sql}) is true` };
  // OFFSET 0 keeps the planner from merging the two levels, which leaves it the GIN index for the inner one.
  const hits = where([found, ...request.conditions]);
  const fromHits = `(select * from ${source.table} ${hits.sql} offset 0) ${source.table}`;
  const page =
    total <= FEW_HITS
      ? pageOf({ ...source, table: fromHits }, request, [])
      : pageOf(source, request, [walked, ...request.conditions]);
  const bindings = total <= FEW_HITS ? [...hits.bindings, ...page.bindings] : page.bindings;
  const result: { rows: Row[] } = await db.raw(page.sql, bindings);
  return { total, rows: result.rows };
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

function nameOf({ table }: ListSource, { sort, after }: ListRequest): string {
  return `list_${table}_${sort.column}_${sort.descending ? 'desc' : 'asc'}${after === undefined ? '' : '_after'}`;
}
