import type { Knex } from 'knex';
import { type Bind, knex, sql } from '../query.ts';
import { applyAll, bindConditions, type Condition } from './condition.ts';
import type { Counters } from './counters.ts';

/** A table with an `id`. A tsvector column `search` and counters of its rows are optional. */
export interface ListSource {
  table: string;
  columns: readonly string[];
  sortable: SortableColumns;
  /** The columns of sorts that have another name. */
  sortedBy?: Readonly<Record<string, string>>;
  /** Columns that are often null: sorted by one, a list has only the rows with a value. */
  sparse?: readonly string[];
  counters?: Counters;
  /** Whether whole rows are skipped instead of ids: the table is narrow and has no id. */
  isNarrow?: boolean;
  /** A row's size in bytes, if a page may have to end early. */
  bytes?: Knex.Raw;
}

/**
 * Sortable columns and their types in a cursor. The default is the first column, descending. Only a `date` may be null; such
 * rows come last in both directions. A list that is sorted by another column with nulls needs a filter that excludes them.
 */
export type SortableColumns = Record<
  string,
  'timestamptz' | 'text' | 'bigint' | 'numeric' | 'date' | 'jsonb'
>;

export interface PageRequest {
  conditions: readonly Condition[];
  search: string | undefined;
  sort: { column: string; type: SortableColumns[string]; descending: boolean };
  limit: number;
  offset: number;
  /** Continues after the row with this sort value and id (UUID). */
  after: { value: string; id: string } | undefined;
}

/** A request whose values may be placeholders. */
export type BoundRequest = Omit<PageRequest, 'offset' | 'after'> & {
  offset: number | Knex.Raw;
  after: { value: string | Knex.Raw; id: string | Knex.Raw } | undefined;
};

/** Everything that the page's SQL depends on, except values. The limit is a constant in the SQL. */
export function shapeOf({ conditions, sort, limit, offset, after }: PageRequest): string {
  const start = after === undefined ? offset > 0 && 'offset' : 'after';
  return [sort.column, sort.descending, limit, start, ...conditions.map(({ shape }) => shape)].join('; ');
}

/** The same request, with placeholders for its values. */
export function bindRequest(request: PageRequest, bind: Bind<PageRequest>): BoundRequest {
  return {
    ...request,
    conditions: bindConditions(request.conditions, (valueIn) =>
      bind(({ conditions }) => valueIn(conditions)),
    ),
    offset: request.offset && bind(({ offset }) => offset),
    after: request.after && {
      value: bind(({ after }) => after?.value),
      id: bind(({ after }) => after?.id),
    },
  };
}

/** The rows of the page, from a table or a query. */
export function pageOf(
  from: string | Knex.QueryBuilder | Knex.Raw,
  columns: readonly string[],
  request: BoundRequest,
): Knex.QueryBuilder {
  const { conditions, sort, limit, offset, after } = request;
  const order = orderOf(request);
  const rows = knex
    .select([...columns])
    .from(from)
    // Knex's own offset() takes no placeholder.
    .orderByRaw(offset === 0 ? order : sql`${order} offset ${offset}`)
    // If the planner doesn't know the limit, it expects to read a tenth of the table.
    .limit(limit, { skipBinding: true });
  applyAll(rows, conditions);
  if (after !== undefined) {
    const type = knex.raw(sort.type);
    const [value, id] = [sql`${after.value}::${type}`, sql`${after.id}::uuid`];
    const operator = sort.descending ? sql`<` : sql`>`;
    rows.where(sql`(${sortKey(sort)}, id) ${operator} (${value}, ${id})`);
  }
  return rows;
}

/** `created_at desc, id desc` */
export function orderOf({ sort }: Pick<PageRequest, 'sort'>): Knex.Raw {
  const direction = directionOf(sort);
  return sql`${sortKey(sort)} ${direction}, id ${direction}`;
}

/** The sort key. Never null, so that a cursor can be compared with it. Indexes have the same expressions. */
function sortKey({ column, type, descending }: PageRequest['sort']): Knex.Raw {
  const value = sql`${knex.ref(column)}`;
  if (type !== 'date') return value;
  return descending ? sql`coalesce(${value}, '-infinity')` : sql`coalesce(${value}, 'infinity')`;
}

/** A row's sort key, for its cursor. */
export function sortValueOf(row: object, { column, type, descending }: PageRequest['sort']): string {
  const value: unknown = row[column as keyof typeof row];
  if (type === 'jsonb') return JSON.stringify(value);
  if (value !== null || type !== 'date') return String(value);
  return descending ? '-infinity' : 'infinity';
}

export function directionOf({ descending }: PageRequest['sort']): Knex.Raw {
  return descending ? sql`desc` : sql`asc`;
}

/** For a lateral join: the whole row for each id in `chosen`. */
export function chosenRow({ table, columns }: ListSource): Knex.QueryBuilder {
  return knex(table)
    .select([...columns])
    .where('id', knex.ref('chosen.id'))
    .limit(1)
    .as('found');
}

/** The rows of the page with the total. If there are none: the total with nulls. */
export function withTotal(
  request: BoundRequest,
  total: Knex.QueryBuilder,
  page: Knex.Raw,
): Knex.QueryBuilder {
  return knex
    .select('counted.total', 'page.*')
    .from(total.as('counted'))
    .joinRaw('left join lateral (?) as page on true', [page])
    .orderByRaw(orderOf(request));
}
