import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { type Db, poolOf } from './knex.ts';

/** Compiles only: it never connects. */
const compiler = knex({ client: 'pg' });

/** SQL with a `?` for each binding. With a name, PostgreSQL plans it once for each connection. */
export interface Query {
  sql: string;
  bindings: readonly unknown[];
  name?: string;
}

/**
 * Runs the query on a connection of the pool, or on that of the transaction. Not through Knex, whose way from a query to
 * its connection costs as much as a small query does in node-postgres.
 */
export async function run<Row>(db: Db, { sql, bindings, name }: Query): Promise<Row[]> {
  const query = { name, text: numbered(sql), values: bindings as unknown[] };
  const runner: pg.ClientBase | pg.Pool = db.isTransaction ? await db.client.acquireConnection() : poolOf(db);
  const { rows } = await runner.query(query);
  return rows;
}

/** `a = ? and b = ?` → `a = $1 and b = $2`, as PostgreSQL wants it. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}

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
 * A query that Knex builds once: building SQL anew for each call costs a third of a read. `name` must be unique, for
 * a connection knows its prepared statements by name. Use it where the SQL never changes.
 */
export function statement<Values extends object, Row>(
  name: string,
  build: (compiler: Knex, values: Markers<Values>) => Knex.QueryBuilder | Knex.Raw,
): (db: Knex, values: Values) => Promise<Row[]> {
  const markers = new Proxy({}, { get: (_target, property) => new Parameter(String(property)) });
  const { sql, bindings } = build(compiler, markers as Markers<Values>)
    .toSQL()
    .toNative();
  return (db, values) =>
    run(db, {
      name,
      sql,
      bindings: bindings.map((binding: unknown) =>
        binding instanceof Parameter ? (values[binding.name as keyof Values] ?? null) : binding,
      ),
    });
}
