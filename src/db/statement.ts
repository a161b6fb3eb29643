import type pg from 'pg';
import { type Db, poolOf } from './knex.ts';

/** SQL with a `?` per binding. PostgreSQL plans a named query once per connection. */
export interface Query {
  sql: string;
  bindings: readonly unknown[];
  name?: string;
}

/**
 * Runs the query on a connection of the pool, or on the transaction's. Bypasses Knex, whose path from a query to its
 * connection costs as much as a small query does in node-postgres.
 */
export async function run<Row>(db: Db, { sql, bindings, name }: Query): Promise<Row[]> {
  const text = name === undefined ? numbered(sql) : textOf(sql);
  const { rows } = await send(db, { name, text, values: bindings as unknown[] });
  return rows;
}

/** Runs a query in node-postgres's own format. */
export async function send(db: Db, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const runner: pg.ClientBase | pg.Pool = db.isTransaction ? await db.client.acquireConnection() : poolOf(db);
  return runner.query(query);
}

/** Numbered text of named queries, by their SQL. As many entries as names, so the cache is bounded. */
const texts = new Map<string, string>();

function textOf(sql: string): string {
  const cached = texts.get(sql);
  if (cached !== undefined) return cached;
  const text = numbered(sql);
  texts.set(sql, text);
  return text;
}

/** `a = ? and b = ?` → `a = $1 and b = $2` */
function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}
