import type { Knex } from 'knex';

/** Searches find the addresses in `metadata.other_emails` too. A generated column's expression can't be changed before PostgreSQL 17. */
export async function up(knex: Knex): Promise<void> {
  const others = ` || ' ' || coalesce(metadata ->> 'other_emails', '')`;
  await replaceSearch(knex, others);
}

export async function down(knex: Knex): Promise<void> {
  await replaceSearch(knex, '');
}

async function replaceSearch(knex: Knex, others: string): Promise<void> {
  for (const table of ['leads', 'contacts']) {
    await knex.raw(`
      -- contract: the next statement adds it again
      alter table ${table} drop column search;
      alter table ${table} add column search tsvector not null generated always as (
        search_vector(name || ' ' || coalesce(email, '') || ' ' || coalesce(company, '')${others})
      ) stored;
      create index ${table}_search_idx on ${table} using gin (search);
    `);
  }
}
