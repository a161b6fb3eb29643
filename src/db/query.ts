import createKnex, { type Knex } from 'knex';

/** Builds queries. It has no connection: Db runs them. */
export const knex = createKnex({ client: 'pg' });

/** A query built by Knex, of which only the type of its promise matters: the rows, or a number if it returns none. */
export interface Query<Row> extends PromiseLike<Row[] | number> {
  toSQL(): Knex.Sql;
}

/** A query in node-postgres's own format. PostgreSQL plans a named one once per connection. */
export interface Statement<Row> {
  name?: string;
  text: string;
  values: unknown[];
  /** Only a type: a row of the result. */
  row?: Row;
}

/** Stands for a value in a query that is compiled before its values are known. */
class Parameter {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Knex takes a Parameter for the value itself, so the compiler checks it against the column. */
export type Parameters<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

const parameter = (name: PropertyKey) => new Parameter(name) as never;

/**
 * A query that Knex compiles once, on first use, and that PostgreSQL plans once per connection: for queries that run
 * often and for which one plan suits all values. Two queries must not have the same name. The builder binds constants
 * too: a constant that the planner must know, such as the condition of a partial index, needs raw SQL.
 */
export function prepare<Values, Row>(
  name: string,
  build: (value: Parameters<Values>) => Query<Row>,
): (values: Values) => Statement<Row> {
  let compiled: Knex.SqlNative | undefined;
  return (values) => {
    compiled ??= build(parameter).toSQL().toNative();
    return {
      name,
      text: compiled.sql,
      values: compiled.bindings.map((binding: unknown) =>
        binding instanceof Parameter ? values[binding.name as keyof Values] : binding,
      ),
    };
  };
}

export function toStatement<Row>(query: Query<Row> | Statement<Row>): Statement<Row> {
  if ('text' in query) return query;
  const { sql, bindings } = query.toSQL().toNative();
  return { text: sql, values: [...bindings] };
}
