import type { Knex } from 'knex';

/**
 * The addresses that turn another system's data into leads, and what came in by them.
 *
 * A delivery has no foreign keys: neither a hook nor a lead should wait for its deliveries to be found when it is
 * deleted. Those of a hook that is gone can't be reached any more; housekeeping deletes each after 30 days.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table inbound_hooks (
      id uuid constraint inbound_hooks_pkey primary key,
      name text collate "und-x-icu" not null,
      token_hash bytea not null constraint inbound_hooks_token_hash_key unique,
      status text not null default 'enabled'
        constraint inbound_hooks_status_check check (status in ('enabled', 'paused')),
      lead_source text not null default 'website'
        constraint inbound_hooks_lead_source_check check (lead_source in ('api', 'website', 'referral', 'manual')),
      default_tags text[] not null default '{}',
      assigned_user_id uuid constraint inbound_hooks_assigned_user_id_fkey references users,
      content_id uuid constraint inbound_hooks_content_id_fkey references content,
      mapping jsonb not null,
      verification jsonb not null,
      encrypted_secret bytea,
      on_duplicate text not null default 'merge'
        constraint inbound_hooks_on_duplicate_check check (on_duplicate in ('merge', 'ignore', 'reject')),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,
      search tsvector not null generated always as (search_vector(name)) stored,
      constraint inbound_hooks_secret_check
        check ((verification ->> 'type' = 'none') = (encrypted_secret is null))
    );
    create index inbound_hooks_created_at_idx on inbound_hooks (created_at, id);
    create index inbound_hooks_assigned_user_id_idx on inbound_hooks (assigned_user_id);
    create index inbound_hooks_content_id_idx on inbound_hooks (content_id);

    create table inbound_deliveries (
      id uuid constraint inbound_deliveries_pkey primary key,
      hook_id uuid not null,
      status text not null constraint inbound_deliveries_status_check
        check (status in ('created', 'merged', 'ignored', 'rejected')),
      lead_id uuid,
      errors json,
      -- What was sent; null when the person in it was erased.
      payload json,
      -- The email addresses in it, in lower case: whom to erase it with, also where it became no lead.
      emails text[] not null default '{}',
      -- SHA-256 of the sender's own id, or of the body; null when 24 hours have passed and the same came again.
      dedupe_key bytea,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,
      constraint inbound_deliveries_dedupe_key unique (hook_id, dedupe_key)
    );
    create index inbound_deliveries_hook_id_idx on inbound_deliveries (hook_id, created_at, id) include (status);
    create index inbound_deliveries_lead_id_idx on inbound_deliveries (lead_id) where lead_id is not null;
    create index inbound_deliveries_emails_idx on inbound_deliveries using gin (emails);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table inbound_deliveries, inbound_hooks;');
}
