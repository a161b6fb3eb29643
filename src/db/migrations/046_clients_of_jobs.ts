import type { Knex } from 'knex';

/** Imports remember their API key, and webhooks and inbound hooks their client. Imports are queued as bulk jobs are. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The API key that the import was started with.
    alter table imports add column key_id uuid, add column failure_code text;
    alter table webhooks add column client_id uuid;
    alter table inbound_hooks add column client_id uuid;
    -- contract: the next index serves the workers of this version, and no version was published.
    drop index imports_queue_idx;
    create index imports_queue_idx on imports (actor_id, created_at, id) where status in ('queued', 'running');
    create index imports_finished_idx on imports (actor_id, finished_at) where finished_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index imports_finished_idx, imports_queue_idx;
    create index imports_queue_idx on imports (created_at, id) where status in ('queued', 'running');
    alter table inbound_hooks drop column client_id;
    alter table webhooks drop column client_id;
    alter table imports drop column key_id, drop column failure_code;
  `);
}
