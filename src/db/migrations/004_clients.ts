import type { Knex } from 'knex';

/**
 * API clients, their credentials, the audit log, and the responses that are stored for clients. Secrets and keys are stored as SHA-256. They are 256 random bits, so a
 * slow hash would add nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await credentials(knex);
  await storedResponses(knex);
}

async function credentials(knex: Knex): Promise<void> {
  await knex.raw(`
    create table api_clients (
      id uuid constraint api_clients_pkey primary key,
      name text not null,
      scopes text[] not null,
      -- The user for whom the client acts, unless a request names another one.
      user_id uuid constraint api_clients_user_id_fkey references users on delete set null,
      secret_hash bytea not null,
      -- Tokens of an earlier generation are revoked, whatever the clocks say.
      token_generation integer not null default 0,
      -- Requests per 60 seconds by class, where they are others than the operator's.
      limits jsonb not null default '{}',
      disabled_at timestamptz(3),
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1
    );
    -- GET /clients.
    create index api_clients_created_at_idx on api_clients (created_at, id);
    create trigger api_clients_hold_horizon before insert or update on api_clients
      for each statement execute function hold_change_horizon();

    create table api_keys (
      id uuid constraint api_keys_pkey primary key,
      client_id uuid not null constraint api_keys_client_id_fkey references api_clients,
      name text not null,
      scopes text[] not null,
      key_hash bytea not null constraint api_keys_key_hash_key unique,
      -- The last four characters.
      hint text not null,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      last_used_at timestamptz(3),
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1
    );
    -- GET /clients/{id}/keys.
    create index api_keys_client_id_idx on api_keys (client_id, created_at, id);
    create trigger api_keys_hold_horizon before insert or update on api_keys
      for each statement execute function hold_change_horizon();

    -- Keys that sign access tokens. A retired key verifies tokens until they have expired.
    create table signing_keys (
      id text constraint signing_keys_pkey primary key,
      public_jwk jsonb not null,
      encrypted_private_jwk bytea not null,
      created_at timestamptz(3) not null default now(),
      retired_at timestamptz(3)
    );
    -- At most one key is current.
    create unique index signing_keys_current_key on signing_keys ((true)) where retired_at is null;

    create table revoked_tokens (
      jti text constraint revoked_tokens_pkey primary key,
      expires_at timestamptz(3) not null
    );
    -- Housekeeping deletes expired tokens.
    create index revoked_tokens_expires_at_idx on revoked_tokens (expires_at);

    -- When a change to credentials commits, notifies every process to forget those it has verified.
    create function notify_auth_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('auth_changed', tg_table_name);
      return null;
    end $$;
    create trigger api_clients_notify after update on api_clients
      for each statement execute function notify_auth_changed();
    -- Not when last_used_at changes: every process would verify all its credentials again.
    create trigger api_keys_notify
      after update of client_id, name, scopes, key_hash, expires_at, revoked_at on api_keys
      for each statement execute function notify_auth_changed();
    create trigger signing_keys_notify after insert or update on signing_keys
      for each statement execute function notify_auth_changed();
    create trigger revoked_tokens_notify after insert on revoked_tokens
      for each statement execute function notify_auth_changed();

    -- Without foreign keys, so that entries outlive the resources they describe.
    create table audit_log (
      id uuid constraint audit_log_pkey primary key,
      created_at timestamptz(3) not null default statement_timestamp(),
      action text not null,
      actor_type text not null constraint audit_log_actor_type_check check (actor_type in ('client', 'operator', 'system')),
      actor_id uuid,
      actor_user_id uuid,
      address text,
      request_id text,
      client_id uuid,
      key_id uuid,
      erasure_id uuid,
      name text,
      scopes text[]
    );
    -- GET /audit-log, and its filters client_id and actor_id.
    create index audit_log_created_at_idx on audit_log (created_at, id);
    create index audit_log_client_id_idx on audit_log (client_id, created_at, id);
    create index audit_log_actor_id_idx on audit_log (actor_id, created_at, id);
  `);
}

/** Responses to requests with an Idempotency-Key, kept for 24 hours. */
async function storedResponses(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    create table idempotency_keys (
      client_id uuid not null constraint idempotency_keys_client_id_fkey references api_clients,
      key text not null,
      request_hash bytea not null,
      -- The operationId. After an erasure, it alone tells a repeated request from another one with the same key.
      operation text not null,
      -- This column and all others of the response are null until the first request has ended.
      status smallint,
      headers json,
      body json,
      -- The encrypted body, instead of body, if it contains a secret.
      sealed_body bytea,
      -- Scopes that a repeat needs in addition to the operation's.
      scopes text[],
      -- The leads, contacts and users in the response, for erasing them.
      people uuid[] not null default '{}',
      created_at timestamptz(3) not null default now(),
      constraint idempotency_keys_pkey primary key (client_id, key),
      constraint idempotency_keys_body_check check (body is null or sealed_body is null)
    );
    -- Housekeeping deletes expired keys.
    create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
    -- Erasing people from stored responses, and from keys that may have an address.
    create index idempotency_keys_people_idx on idempotency_keys using gin (people) where people <> '{}';
    create index idempotency_keys_address_idx on idempotency_keys (created_at) where key ~ '[@%&\\]';

    -- Bytes of stored responses by client and hour, for limiting them.
    create table idempotency_usage (
      client_id uuid not null,
      hour timestamptz(3) not null,
      bytes bigint not null,
      constraint idempotency_usage_pkey primary key (client_id, hour)
    );
  `);
}
