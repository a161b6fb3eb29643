import type { Knex } from 'knex';

/** People to be erased from the rows of imports: only hashes of what they are known by, until that is done. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table import_erasures (
      hash bigint not null,
      erased_at timestamptz(3) not null default clock_timestamp(),
      constraint import_erasures_pkey primary key (hash, erased_at)
    );
    create index import_erasures_erased_at_idx on import_erasures (erased_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table import_erasures');
}
