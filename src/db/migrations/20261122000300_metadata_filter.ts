import type { Knex } from 'knex';

/** Finds rows by the keys and texts of their metadata. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index leads_metadata_idx on leads using gin (metadata jsonb_path_ops);
    create index contacts_metadata_idx on contacts using gin (metadata jsonb_path_ops);
    create index content_metadata_idx on content using gin (metadata jsonb_path_ops);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index leads_metadata_idx, contacts_metadata_idx, content_metadata_idx;');
}
