import createKnex, { type Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { storable, storableJson } from '../values/text.ts';

/** Builds queries. It has no connection: Db runs them. */
export const knex = createKnex({ client: 'pg' });

/** Raw SQL with its values: binds each of them, but inserts queries and other raw SQL as they are. */
export function sql<Row>(strings: TemplateStringsArray, ...values: readonly unknown[]): Knex.Raw<Row[]> {
  return knex.raw(strings.join('?'), values as Knex.RawBinding[]);
}

/** The moment this long before another one. The interval is in PostgreSQL's words. */
export function before(moment: Date, interval: string): Knex.Raw {
  return sql`${moment.toISOString()}::timestamptz - ${interval}::interval`;
}

/** Column names, separated by commas. */
export function names(columns: readonly string[]): Knex.Raw {
  return knex.raw('??', [[...columns]]);
}

/** A query built by Knex, of which only the type of its promise matters: the rows, or a number if it returns none. */
export interface Query<Row> extends PromiseLike<Row[] | number> {
  toSQL(): Knex.Sql;
}

/** A query in node-postgres's own format. PostgreSQL plans a named one once per connection. */
export interface Statement<Row> {
  name?: string | undefined;
  text: string;
  values: unknown[];
  /** Only a type: a row of the result. */
  row?: Row;
}

/** Stands for a value in a query that is compiled before its values are known. Knex binds it like any other value. */
class Placeholder<Values> {
  readonly valueIn: (values: Values) => unknown;
  constructor(valueIn: (values: Values) => unknown) {
    this.valueIn = valueIn;
  }
}

/** Raw SQL with a placeholder, given the function that finds its value. */
export type Bind<Values> = (valueIn: (values: Values) => unknown) => Knex.Raw;

/** The same, given the name of its value. */
export type Placeholders<Values> = (name: keyof Values) => Knex.Raw;

const placeholder = <Values>(valueIn: (values: Values) => unknown) => sql`${new Placeholder(valueIn)}`;

function compile<Values, Row>(query: Query<Row>): (values: Values) => Statement<Row> {
  const { sql: text, bindings } = query.toSQL().toNative();
  return (values) => ({
    text,
    values: bindings.map((binding: unknown) =>
      binding instanceof Placeholder ? binding.valueIn(values) : binding,
    ),
  });
}

/**
 * A query that Knex compiles once, on first use, and that PostgreSQL plans once per connection: for queries that run
 * often and for which one plan suits all values. Two queries must not have the same name. The builder binds constants
 * too: a constant that the planner must know, such as the condition of a partial index, needs raw SQL.
 */
export function prepare<Values, Row>(
  name: string,
  build: (value: Placeholders<Values>) => Query<Row>,
): (values: Values) => Statement<Row> {
  let compiled: ((values: Values) => Statement<Row>) | undefined;
  return (values) => {
    compiled ??= compile(build((name) => placeholder((given: Values) => given[name])));
    return { name, ...compiled(values) };
  };
}

/** Maximum shapes of a query that get a name, and so a plan that each connection keeps. */
export const MAX_NAMED_SHAPES = 64;
/** Maximum shapes of a query whose compiled SQL is kept. */
const MAX_COMPILED_SHAPES = 500;

/**
 * The same for a query whose SQL depends on its shape, such as which filters a list has. A shape must say all that the
 * SQL depends on, and nothing that a client can choose freely. `isNamed` is whether one plan suits all values.
 */
export function prepareShapes<Values, Row>(prefix: string) {
  const compiled = new LRUCache<string, (values: Values) => Statement<Row>>({ max: MAX_COMPILED_SHAPES });
  const names = new Map<string, string>();
  return (
    shape: string,
    isNamed: boolean,
    values: Values,
    build: (bind: Bind<Values>) => Query<Row>,
  ): Statement<Row> => {
    const toValues = compiled.get(shape) ?? compile<Values, Row>(build(placeholder));
    compiled.set(shape, toValues);
    if (isNamed && names.size < MAX_NAMED_SHAPES && !names.has(shape))
      names.set(shape, `${prefix}_${names.size}`);
    return { name: names.get(shape), ...toValues(values) };
  };
}

/** Every query passes through here or toUnnamed(), so that no text can make PostgreSQL refuse it. */
export function toStatement<Row>(query: Query<Row> | Statement<Row>): Statement<Row> {
  if ('text' in query) return { ...query, values: query.values.map(toStorable) };
  const { sql: text, bindings } = query.toSQL().toNative();
  return { text, values: bindings.map(toStorable) };
}

/** The value as PostgreSQL can store it. Objects become JSON, as node-postgres would send them. */
function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(toStorable);
  const isJson =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isJson ? storableJson(value) : value;
}

/** Without its name: a pooler may run a named statement in a session that does not know it. */
export function toUnnamed<Row>(query: Query<Row> | Statement<Row>): Statement<Row> {
  const { text, values } = toStatement(query);
  return { text, values };
}
