import type { Knex } from 'knex';

/** Responses to requests with an Idempotency-Key, kept for 24 hours. */
export async function up(knex: Knex): Promise<void> {
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
