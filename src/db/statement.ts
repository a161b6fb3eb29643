import type pg from 'pg';
import { type Db, poolOf } from './knex.ts';

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
  const text = name === undefined ? numbered(sql) : textOf(sql);
  const { rows } = await send(db, { name, text, values: bindings as unknown[] });
  return rows;
}

/** Sends a query as node-postgres has it. */
export async function send(db: Db, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const runner: pg.ClientBase | pg.Pool = db.isTransaction ? await db.client.acquireConnection() : poolOf(db);
  return runner.query(query);
}

/** Of the statements with a name, by their SQL: there are as many as names. */
const texts = new Map<string, string>();

function textOf(sql: string): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  const text = numbered(sql);
  texts.set(sql, text);
  return text;
}

/** `a = ? and b = ?` → `a = $1 and b = $2`, as PostgreSQL wants it. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}
