import type { Knex } from 'knex';

/**
 * API clients and what they authenticate with, the people leads are assigned to, and the idempotency records.
 * Secrets and keys are stored as SHA-256 only: they are 256-bit random, so a slow hash would add nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table api_clients (
      id uuid constraint api_clients_pkey primary key,
      name text not null,
      scopes text[] not null,
      secret_hash bytea not null,
      disabled_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    );

    create table api_keys (
      id uuid constraint api_keys_pkey primary key,
      client_id uuid not null constraint api_keys_client_id_fkey references api_clients,
      name text not null,
      scopes text[] not null,
      key_hash bytea not null constraint api_keys_key_hash_key unique,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    );
    create index api_keys_client_id_idx on api_keys (client_id);

    create table signing_keys (
      id text constraint signing_keys_pkey primary key,
      public_jwk jsonb not null,
      encrypted_private_jwk bytea not null,
      created_at timestamptz(3) not null default now(),
      retired_at timestamptz(3)
    );
    create unique index signing_keys_current_key on signing_keys ((true)) where retired_at is null;

    create table revoked_tokens (
      jti text constraint revoked_tokens_pkey primary key,
      expires_at timestamptz(3) not null
    );
    create index revoked_tokens_expires_at_idx on revoked_tokens (expires_at);

    create table users (
      id uuid constraint users_pkey primary key,
      name text not null,
      email text not null,
      active boolean not null default true,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1
    );
    create unique index users_email_key on users (lower(email));

    create table idempotency_keys (
      client_id uuid not null constraint idempotency_keys_client_id_fkey references api_clients,
      key text not null,
      request_hash bytea not null,
      status smallint,
      headers json,
      body json,
      created_at timestamptz(3) not null default now(),
      constraint idempotency_keys_pkey primary key (client_id, key)
    );
    create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

    -- Every process that remembers verified credentials hears of a change at its commit, whoever made it.
    create function notify_auth_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('auth_changed', tg_table_name);
      return null;
    end $$;
    create trigger revoked_tokens_notify after insert on revoked_tokens
      for each statement execute function notify_auth_changed();
    create trigger api_clients_notify after update on api_clients
      for each statement execute function notify_auth_changed();
    create trigger api_keys_notify after update on api_keys
      for each statement execute function notify_auth_changed();
    create trigger signing_keys_notify after insert or update on signing_keys
      for each statement execute function notify_auth_changed();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table idempotency_keys, users, revoked_tokens, signing_keys, api_keys, api_clients;
    drop function notify_auth_changed();
  `);
}
