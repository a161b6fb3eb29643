import type { Db } from './db.ts';
import { knex, sql } from './query.ts';

interface RowCount {
  table: string;
  rows: number;
}

/** Counts the rows of all tables in the schema, whatever version made them. Reads each table, so it may take a while. */
export async function countTables(db: Pick<Db, 'run'>): Promise<RowCount[]> {
  const found = await db.run<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = to_regnamespace(quote_ident(current_schema())) and relkind in ('r', 'p') and not relispartition
      and relname !~ '^(knex_migrations|database_label)'
    order by relname`);
  if (found.length === 0) return [];
  const counts = found.map(({ name }) =>
    knex.raw('select ?::text as "table", count(*)::float8 as rows from ??', [name, name]),
  );
  return db.run<RowCount>(knex.raw(counts.map(() => '?').join(' union all '), counts));
}
