import type { Knex } from 'knex';

/** Every object of a kind in the schema, in PostgreSQL's own words. */
const catalogues = {
  columns: `
    select concat_ws(' ', table_name, column_name, ordinal_position, data_type, udt_name, datetime_precision,
      collation_name, is_nullable, column_default, generation_expression)
    from information_schema.columns where table_schema = 'public'`,
  tables: `
    select concat_ws(' ', relname, relkind, reloptions, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid))
    from pg_class where relnamespace = 'public'::regnamespace`,
  indexes: `select indexdef from pg_indexes where schemaname = 'public'`,
  // Without NOT NULL, which the columns show. Before version 18, it is not a constraint.
  constraints: `
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
  views: `select viewname || definition from pg_views where schemaname = 'public'`,
  functions: `
    select pg_get_functiondef(oid) from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  triggers: `select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
  extensions: 'select extname from pg_extension',
} as const;

type Schema = Record<keyof typeof catalogues, string[]>;

/** Without Knex's own tables. */
export async function readTexts(knex: Knex, sql: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { text: string }[] }>(
    `select text from (${sql}) as found(text) where text not like '%knex_migrations%' order by text`,
  );
  return rows.map(({ text }) => text);
}

export async function readSchema(knex: Knex): Promise<Schema> {
  const entries: [string, string[]][] = [];
  for (const [kind, sql] of Object.entries(catalogues)) entries.push([kind, await readTexts(knex, sql)]);
  return Object.fromEntries(entries) as Schema;
}
