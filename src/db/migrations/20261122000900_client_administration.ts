import type { Knex } from 'knex';

/** API clients and their keys become resources with versions, and each change of them is recorded. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_clients add column version integer not null default 1;
    create index api_clients_created_at_idx on api_clients (created_at, id);

    alter table api_keys
      add column updated_at timestamptz(3) not null default now(),
      add column version integer not null default 1;
    update api_keys set updated_at = coalesce(revoked_at, created_at);
    drop index api_keys_client_id_idx;
    create index api_keys_client_id_idx on api_keys (client_id, created_at, id);

    -- No foreign keys: an entry tells what happened, whatever comes later.
    create table audit_log (
      id uuid constraint audit_log_pkey primary key,
      created_at timestamptz(3) not null default statement_timestamp(),
      action text not null,
      actor_type text not null constraint audit_log_actor_type_check check (actor_type in ('client', 'operator', 'system')),
      actor_id uuid,
      address text,
      request_id text,
      client_id uuid,
      key_id uuid,
      name text,
      scopes text[]
    );
    create index audit_log_created_at_idx on audit_log (created_at, id);
    create index audit_log_client_id_idx on audit_log (client_id, created_at, id);
    create index audit_log_actor_id_idx on audit_log (actor_id, created_at, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table audit_log;
    drop index api_keys_client_id_idx;
    create index api_keys_client_id_idx on api_keys (client_id);
    alter table api_keys drop column version, drop column updated_at;
    drop index api_clients_created_at_idx;
    alter table api_clients drop column version;
  `);
}
