import type { Knex } from 'knex';

/** Who is told of events, and what became of it. Deliveries and attempts are kept 30 days. */
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
      webhook_id uuid not null
        constraint webhook_deliveries_webhook_id_fkey references webhooks on delete cascade,
      event_id uuid not null,
      event_type text not null,
      resource_id uuid not null,
      status text not null default 'pending'
        constraint webhook_deliveries_status_check check (status in ('pending', 'succeeded', 'failed')),
      attempt_count integer not null default 0,
      next_attempt_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    );
    create index webhook_deliveries_webhook_id_idx on webhook_deliveries (webhook_id, created_at, id);
    create index webhook_deliveries_resource_id_idx on webhook_deliveries (resource_id);

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
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table webhook_attempts, webhook_deliveries, webhooks;');
}
