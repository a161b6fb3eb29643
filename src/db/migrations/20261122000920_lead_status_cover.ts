import type { Knex } from 'knex';

/** The time from creation to won or lost, for the summary, without reading the leads themselves. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index leads_status_idx;
    create index leads_status_idx on leads (status, created_at, id) include (status_changed_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index leads_status_idx;
    create index leads_status_idx on leads (status, created_at, id);
  `);
}
