import type { Knex } from 'knex';
import type { Db } from '../db.ts';
import { knex, prepareShapes, type Query, type Statement, sql } from '../query.ts';
import { boundedPage, withinBound } from './bounded-page.ts';
import { applyAll, type Condition, isUnordered } from './condition.ts';
import { countedPage, isDeepPage } from './counted-page.ts';
import {
  bindSelection,
  type CountRows,
  partsOf,
  type Selection,
  selectionOf,
  shapeOfSelection,
  totalOf,
} from './counters.ts';
import { dayPageOf, isPageByDay } from './day-page.ts';
import { fewHits, MAX_SORTED_HITS, withSearch } from './hits-page.ts';
import {
  type BoundRequest,
  bindRequest,
  type ListSource,
  orderOf,
  type PageRequest,
  pageOf,
  shapeOf,
  withTotal,
} from './page.ts';
import { totalByValue } from './value-counters.ts';

interface ListPage<Row> {
  rows: Row[];
  total: number;
  /** Number of rows found. More than `rows.length` if together they would be too large. */
  found: number;
}

/** Limits in the SQL. Few, because each takes a prepared statement. */
const LIMITS = [2, 21, 51, 101];

/**
 * Fetches a page and the exact number of matching rows. Both are from the same snapshot, except for deep pages and for many
 * hits in a GIN index.
 */
export async function fetchPage<Row>(
  db: Db,
  source: ListSource,
  request: PageRequest,
): Promise<ListPage<Row>> {
  const limit = LIMITS.find((limit) => limit >= request.limit) ?? request.limit;
  const wide = withSearch(source, { ...request, limit });
  const page = await fetchWide<Row>(db, source, wide);
  return { ...page, rows: page.rows.slice(0, request.limit) };
}

interface Strategy {
  /** Which pages it is for. */
  pages: string;
  serves(source: ListSource, request: PageRequest): boolean;
  fetch<Row>(db: Db, source: ListSource, request: PageRequest): Promise<ListPage<Row>>;
}

/** How a page is fetched: by the first that serves it. */
const strategies: readonly Strategy[] = [
  {
    pages:
      'of what an index finds in no order, such as words and tags: few hits are sorted, many are counted first',
    serves: (_source, { conditions, sort }) => isUnordered(conditions, sort.column),
    fetch: fetchHits,
  },
  {
    pages: 'by number in the order of creation: the counters lead to their days',
    serves: isByDay,
    fetch: (db, source, request) => run(db, sortedPage(source, request)),
  },
  {
    pages: 'of the first rows in an order, or after a cursor: read along the index, with their total',
    serves: (_source, request) => !isDeepPage(request),
    fetch: (db, source, request) => run(db, sortedPage(source, request)),
  },
  {
    pages: 'deep in another order: counted first, then read from the nearer end',
    serves: () => true,
    fetch: fetchCounted,
  },
];

function fetchWide<Row>(db: Db, source: ListSource, request: PageRequest): Promise<ListPage<Row>> {
  const strategy = strategies.find(({ serves }) => serves(source, request)) as Strategy;
  return strategy.fetch<Row>(db, source, request);
}

async function fetchCounted<Row>(
  db: Db,
  source: ListSource,
  request: PageRequest,
  counted?: number,
): Promise<ListPage<Row>> {
  const total = counted ?? (await countRows(db, source, request.conditions));
  const found = await countedPage<Row & { upto?: string }>(db, source, request, total);
  return { total, rows: withinBound(found), found: found.length };
}

/** Whether the counters can locate the page's day. */
function isByDay(source: ListSource, request: PageRequest): boolean {
  return isPageByDay(request) && select(source, request.conditions) !== undefined;
}

/** Whether the counters can answer how many rows match. */
export function isCounted(source: ListSource, conditions: readonly Condition[]): boolean {
  return select(source, conditions) !== undefined || totalByValue(source, conditions) !== undefined;
}

/** The exact number of matching rows. */
export async function countRows(
  db: Db,
  source: ListSource,
  conditions: readonly Condition[],
): Promise<number> {
  const counting = totalFor(source, conditions, select(source, conditions));
  const [counted] = await db.run<{ total: number }>(counting);
  return counted?.total ?? 0;
}

async function fetchHits<Row>(db: Db, source: ListSource, request: PageRequest): Promise<ListPage<Row>> {
  const { conditions } = request;
  // Most conditions have few hits. For a tag or a range, the counters often know the number.
  const counted = isCounted(source, conditions) ? await countRows(db, source, conditions) : undefined;
  if (counted === undefined || counted <= MAX_SORTED_HITS) {
    const page = await run<Row>(db, fewHitsPage(source, request));
    if (page.total <= MAX_SORTED_HITS) return page;
  }
  return fetchCounted(db, source, request, counted);
}

async function run<Row>(db: Db, statement: Statement<unknown>): Promise<ListPage<Row>> {
  const fetched = await db.run(statement as Statement<Row & Fetched>);
  const found = fetched.filter(({ id }) => id !== null);
  return { total: fetched[0]?.total ?? 0, rows: withinBound(found), found: found.length };
}

/** A row of the page. All columns are null if the page is empty. */
interface Fetched {
  id: string | null;
  total: number;
  upto?: string;
}

function sortedPage(source: ListSource, request: PageRequest): Statement<unknown> {
  const selection = select(source, request.conditions);
  const fromDay = isByDay(source, request);
  const isNamed = isPlannedOnce(source, request) && (fromDay || request.offset === 0);
  const kind = `${fromDay}; ${selection && shapeOfSelection(selection)}`;
  return statementOf(source, kind, isNamed, { request, selection }, (bound, counted) =>
    counted && fromDay ? byDay(source, bound, counted) : sorted(source, bound, counted),
  );
}

function fewHitsPage(source: ListSource, request: PageRequest): Statement<unknown> {
  const values = { request, selection: undefined };
  return statementOf(source, 'few hits', isPlannedOnce(source, request), values, (bound) =>
    fewHits(source, bound),
  );
}

/** Whether one plan suits all values. For that, an index must have the rows of a single filter in the default order. */
function isPlannedOnce({ sortable }: ListSource, { conditions, sort }: PageRequest): boolean {
  if (conditions.length === 0) return true;
  const [single, ...others] = conditions;
  return single?.isPlannedOnce === true && others.length === 0 && sort.column === Object.keys(sortable)[0];
}

interface QueryValues {
  request: PageRequest;
  selection: Selection | undefined;
}

const statements = new Map<string, ReturnType<typeof prepareShapes<QueryValues, unknown>>>();

/** `build` gets the request and the selection, with placeholders for their values. */
function statementOf(
  { table }: ListSource,
  kind: string,
  isNamed: boolean,
  values: QueryValues,
  build: (request: BoundRequest, selection: Selection | undefined) => Query<unknown>,
): Statement<unknown> {
  const { request, selection } = values;
  const prepared = statements.get(table) ?? prepareShapes<QueryValues, unknown>(`list_${table}`);
  statements.set(table, prepared);
  return prepared(`${kind}; ${shapeOf(request)}`, isNamed, values, (bind) =>
    build(
      bindRequest(request, (valueIn) => bind(({ request }) => valueIn(request))),
      selection &&
        bindSelection(selection, (valueIn) => bind((given) => valueIn(given.selection as Selection))),
    ),
  );
}

function sorted(source: ListSource, request: BoundRequest, selection: Selection | undefined): Query<unknown> {
  const page = pageOf(source.table, source.columns, request);
  return withTotal(
    request,
    totalFor(source, request.conditions, selection),
    sql`${source.bytes === undefined ? page : boundedPage(page, source.columns, source.bytes, orderOf(request))}`,
  );
}

function byDay(source: ListSource, request: BoundRequest, selection: Selection): Query<unknown> {
  const parts = partsOf(selection, countIn(source, request.conditions));
  const total = knex('part').select(sql`coalesce(sum(matches), 0)::int as total`);
  return withTotal(request, total, dayPageOf(source, request, selection)).withMaterialized('part', parts);
}

function select({ counters }: ListSource, conditions: readonly Condition[]): Selection | undefined {
  return counters && selectionOf(counters, conditions);
}

/** `total`: the number of matching rows. */
function totalFor(
  source: ListSource,
  conditions: readonly Condition[],
  selection: Selection | undefined,
): Knex.QueryBuilder {
  if (selection !== undefined) return totalOf(selection, countIn(source, conditions));
  const byValue = totalByValue(source, conditions);
  if (byValue !== undefined) return byValue;
  const [first, ...others] = conditions;
  const all = select(source, []);
  if (first?.complement === undefined || others.length > 0 || all === undefined) {
    return matching(source, conditions).select(sql`count(*)::int as total`);
  }
  const complement = totalFor(source, [first.complement], undefined);
  return knex.select(sql`(${totalOf(all, countIn(source, []))}) - (${complement}) as total`);
}

/** Counts the matching rows that were created between two timestamps, as `matches`. */
function countIn(source: ListSource, conditions: readonly Condition[]): CountRows {
  return (begin, end) =>
    matching(source, conditions)
      .select(sql`count(*)::int as matches`)
      .where(sql`created_at >= ${begin}::timestamptz and created_at < ${end}::timestamptz`);
}

function matching({ table }: ListSource, conditions: readonly Condition[]): Knex.QueryBuilder {
  return knex(table).modify(applyAll, conditions);
}
