import type { Knex } from 'knex';

/** Whose rows are kept, so that they can be bounded per client. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table import_chunks add column client_id uuid;
    update import_chunks set client_id = actor_id from imports where imports.id = import_id and actor_type = 'client';
    create index imports_startable_idx on imports (actor_id, created_at)
      where status in ('draft', 'queued', 'running') or (status = 'completed' and dry_run);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index imports_startable_idx;
    alter table import_chunks drop column client_id;
  `);
}
