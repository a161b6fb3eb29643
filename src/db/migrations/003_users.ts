import type { Knex } from 'knex';

/** Assignees of leads and contacts, and authors of content. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id uuid constraint users_pkey primary key,
      name text collate "und-x-icu" not null,
      email text not null,
      active boolean not null default true,
      -- The id in another system, such as a directory of employees.
      external_id text constraint users_external_id_key unique,
      metadata jsonb not null default '{}',
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      search tsvector not null generated always as (search_vector(name || ' ' || email)) stored
    );
    create unique index users_email_key on users (lower(email));
    create trigger users_hold_horizon before insert or update on users
      for each statement execute function hold_change_horizon();

    -- The orders of GET /users, its search, and its filters by metadata.
    create index users_created_at_idx on users (created_at, id);
    create index users_updated_at_idx on users (updated_at, id);
    create index users_name_idx on users (name, id);
    create index users_search_idx on users using gin (search);
    create index users_metadata_idx on users using gin (metadata jsonb_path_ops);
  `);
}
