import type { Knex } from 'knex';

/**
 * Who is told of events, and what became of it. Deliveries and attempts are kept 30 days.
 *
 * A delivery has no foreign key to its webhook: each one would lock the webhook's row in the transaction of the change
 * that it tells of, so that writers of leads met on those few rows; and deleting a webhook would have to delete its
 * million deliveries at once. Those of a webhook that is gone can't be reached any more, and housekeeping deletes them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhooks (
      id uuid constraint webhooks_pkey primary key,
      url text not null,
      description text,
      event_types text[] not null,
      status text not null default 'enabled'
        constraint webhooks_status_check check (status in ('enabled', 'paused', 'disabled')),
      disabled_reason text
        constraint webhooks_disabled_reason_check check ((disabled_reason is not null) = (status = 'disabled')),
      encrypted_secret bytea not null,
      encrypted_previous_secret bytea,
      previous_secret_expires_at timestamptz(3),
      last_success_at timestamptz(3),
      failing_since timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,
      constraint webhooks_previous_secret_check
        check ((encrypted_previous_secret is null) = (previous_secret_expires_at is null))
    );

    create table webhook_deliveries (
      id uuid constraint webhook_deliveries_pkey primary key default new_uuid(),
      webhook_id uuid not null,
      event_id uuid not null,
      event_type text not null,
      resource_id uuid not null,
      status text not null default 'pending'
        constraint webhook_deliveries_status_check check (status in ('pending', 'succeeded', 'failed')),
      attempt_count integer not null default 0,
      next_attempt_at timestamptz(3) default now(),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    );
    -- With status and type, so that a filtered page and its total are read from the index alone.
    create index webhook_deliveries_webhook_id_idx
      on webhook_deliveries (webhook_id, created_at, id) include (status, event_type);
    -- The few that someone looks for among the many.
    create index webhook_deliveries_unsettled_idx
      on webhook_deliveries (webhook_id, status, created_at, id) include (event_type) where status <> 'succeeded';
    create index webhook_deliveries_resource_id_idx on webhook_deliveries (resource_id, event_id);

    create table webhook_attempts (
      delivery_id uuid not null
        constraint webhook_attempts_delivery_id_fkey references webhook_deliveries on delete cascade,
      number integer not null,
      attempted_at timestamptz(3) not null,
      duration_ms integer not null,
      status_code integer,
      error text,
      response_body text,
      constraint webhook_attempts_pkey primary key (delivery_id, number)
    );

    -- The replays that are under way, one for each webhook at most: what is wanted, and how far it has come.
    create table webhook_replays (
      webhook_id uuid constraint webhook_replays_pkey primary key
        constraint webhook_replays_webhook_id_fkey references webhooks on delete cascade,
      occurred_from timestamptz(3) not null,
      occurred_to timestamptz(3) not null,
      event_types text[] not null,
      only_failed boolean not null,
      -- The last event that was looked at.
      after_event_id uuid not null,
      -- The last position that had been drawn when the replay was asked for.
      last_position bigint not null
    );

    -- An answer that holds a secret is kept encrypted, here instead of in body.
    alter table idempotency_keys add column sealed_body bytea,
      add constraint idempotency_keys_body_check check (body is null or sealed_body is null);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table idempotency_keys drop column sealed_body;
    drop table webhook_replays, webhook_attempts, webhook_deliveries, webhooks;
  `);
}
