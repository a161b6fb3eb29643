import type { Db } from './db.ts';

/** SQL with a `?` per binding. PostgreSQL plans a named query once per connection. */
export interface Query {
  sql: string;
  bindings: readonly unknown[];
  name?: string;
}

/** Runs the query on a connection of the pool, or on the transaction's. */
export function run<Row>(db: Db, { sql, bindings, name }: Query): Promise<Row[]> {
  const text = name === undefined ? numbered(sql) : textOf(sql);
  return db.run<Row>({ name, text, values: [...bindings] });
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
