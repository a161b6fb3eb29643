import type { Knex } from 'knex';

/** A user's id in another system, such as a directory of employees, and the client's own values. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add column external_id text constraint users_external_id_key unique,
      add column metadata jsonb not null default '{}';
    -- GET /users?metadata[key]=.
    create index users_metadata_idx on users using gin (metadata jsonb_path_ops);
    -- Events show every field of a user.
    update events set object = (left(object::text, -1) || ',"external_id":null,"metadata":{}}')::json
    where type in ('user.created', 'user.updated') and object -> 'metadata' is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column external_id, drop column metadata');
}
