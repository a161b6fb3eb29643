import knex, { type Knex } from 'knex';

/** Compiles only: it never connects. */
const compiler = knex({ client: 'pg' });

/** Stands in a query for a value that each run brings. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

// A marker passes through Knex as the value it stands for, so it takes whatever type the column has.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Markers<Values> = { [Name in keyof Values]-?: any };

/**
 * A query that Knex builds once and PostgreSQL prepares once a connection: building SQL anew costs a third of a read.
 * `name` must be unique, for a connection knows its prepared statements by name. Use it where the SQL never changes.
 */
export function statement<Values extends object, Row>(
  name: string,
  build: (compiler: Knex, values: Markers<Values>) => Knex.QueryBuilder | Knex.Raw,
): (db: Knex, values: Values) => Promise<Row[]> {
  const markers = new Proxy({}, { get: (_target, property) => new Parameter(String(property)) });
  const { sql, bindings } = build(compiler, markers as Markers<Values>).toSQL();
  return async (db, values) => {
    const bound = bindings.map((binding: unknown) =>
      binding instanceof Parameter ? (values[binding.name as keyof Values] ?? null) : binding,
    );
    const result: { rows: Row[] } = await db.raw(sql, bound as Knex.RawBinding[]).options({ name });
    return result.rows;
  };
}
