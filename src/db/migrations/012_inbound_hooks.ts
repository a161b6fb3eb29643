import type { Knex } from 'knex';

/** URLs that turn another system's data into leads, and their deliveries, which are kept for 30 days. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table inbound_hooks (
      id uuid constraint inbound_hooks_pkey primary key,
      -- The client that created it.
      client_id uuid,
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
      -- Keeps the order of its keys.
      "values" json not null default '{}',
      locale text,
      default_country text,
      accept_if jsonb,
      verification jsonb not null,
      encrypted_secret bytea,
      encrypted_verify_token bytea,
      redirect_url text,
      -- The name of a field that only bots fill in.
      honeypot text,
      -- Empty for any origin.
      allowed_origins text[] not null default '{}',
      on_duplicate text not null default 'merge'
        constraint inbound_hooks_on_duplicate_check check (on_duplicate in ('merge', 'ignore', 'reject')),
      -- Until when a new lead should hear from somebody.
      first_contact_seconds integer
        constraint inbound_hooks_first_contact_seconds_check check (first_contact_seconds between 60 and 2592000),
      on_return text not null default 'note'
        constraint inbound_hooks_on_return_check check (on_return in ('note', 'reopen')),
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      search tsvector not null generated always as (search_vector(name)) stored,
      constraint inbound_hooks_secret_check
        check ((verification ->> 'type' = 'none') = (encrypted_secret is null))
    );
    create trigger inbound_hooks_hold_horizon before insert or update on inbound_hooks
      for each statement execute function hold_change_horizon();
    -- GET /inbound-hooks.
    create index inbound_hooks_created_at_idx on inbound_hooks (created_at, id);
    -- Whether a hook refers to a user or content, which then can't be deleted.
    create index inbound_hooks_assigned_user_id_idx on inbound_hooks (assigned_user_id);
    create index inbound_hooks_content_id_idx on inbound_hooks (content_id);

    -- There are no foreign keys, because deleting a hook or a lead must not search its deliveries. Deliveries of a deleted
    -- hook are unreachable.
    create table inbound_deliveries (
      id uuid constraint inbound_deliveries_pkey primary key,
      hook_id uuid not null,
      status text not null constraint inbound_deliveries_status_check
        check (status in ('created', 'merged', 'ignored', 'rejected', 'skipped')),
      lead_id uuid,
      -- The note about the lead that the delivery made.
      note_id uuid,
      errors json,
      -- {field, message}, in the order of the fields.
      warnings json[],
      -- The bytes that came, so that no digit and no character is lost. Null once they were dropped for lack of room, or
      -- their person was erased.
      body bytea,
      content_type text,
      -- Its email addresses in lower case, for erasing these people even if there is no lead.
      emails text[] not null default '{}',
      -- SHA-256 of the sender's id for it, or of the body. Null once the same was sent again after 24 hours.
      dedupe_key bytea,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,
      -- Includes a kibibyte for the row, its index entries and its event, so that small payloads are limited too.
      payload_bytes integer not null generated always as (
        coalesce(octet_length(body) + 1024, 0)
      ) stored,
      constraint inbound_deliveries_dedupe_key unique (hook_id, dedupe_key)
    );
    -- GET /inbound-hooks/{id}/deliveries.
    create index inbound_deliveries_hook_id_idx on inbound_deliveries (hook_id, created_at, id) include (status);
    -- Erasing people.
    create index inbound_deliveries_lead_id_idx on inbound_deliveries (lead_id) where lead_id is not null;
    create index inbound_deliveries_emails_idx on inbound_deliveries using gin (emails);
    -- GET /inbound-hooks/{id}/deliveries?has_warnings=true.
    create index inbound_deliveries_warned_idx on inbound_deliveries (hook_id, created_at, id)
      where warnings is not null;
    -- Payloads to drop when there is no room, oldest first.
    create index inbound_deliveries_settled_idx on inbound_deliveries (id)
      where payload_bytes > 0 and status <> 'rejected';
  `);
  await storage(knex);
}

/**
 * The bytes of stored payloads, for limiting them. Each change is a separate row, so that requests never wait for each
 * other. Housekeeping folds the changes into the sum. Readers add the rest.
 */
async function storage(knex: Knex): Promise<void> {
  await knex.raw(`
    create table inbound_storage (
      singleton boolean constraint inbound_storage_pkey primary key default true
        constraint inbound_storage_singleton_check check (singleton),
      bytes bigint not null
    );
    insert into inbound_storage (bytes) values (0);
    create table inbound_storage_changes (bytes bigint not null);

    create function inbound_storage_used() returns bigint language sql stable
      return (select bytes from inbound_storage) + (select coalesce(sum(bytes), 0)::bigint from inbound_storage_changes);

    -- Folds up to that many changes. Returns how many it folded.
    create function fold_inbound_storage(most integer) returns integer language sql as $$
      with folded as (
        delete from inbound_storage_changes where ctid = any (array (
          select ctid from inbound_storage_changes limit most for update skip locked
        ))
        returning bytes
      ), added as (
        update inbound_storage set bytes = inbound_storage.bytes + total
        from (select sum(bytes) as total from folded) as folding where total is not null
      )
      select count(*)::integer from folded
    $$;

    create function note_inbound_storage() returns trigger language plpgsql as $$
    begin
      insert into inbound_storage_changes values (coalesce(new.payload_bytes, 0) - coalesce(old.payload_bytes, 0));
      return null;
    end $$;
    create trigger inbound_deliveries_insert_storage after insert on inbound_deliveries
      for each row when (new.payload_bytes > 0) execute function note_inbound_storage();
    create trigger inbound_deliveries_update_storage after update on inbound_deliveries
      for each row when (new.payload_bytes <> old.payload_bytes) execute function note_inbound_storage();
    create trigger inbound_deliveries_delete_storage after delete on inbound_deliveries
      for each row when (old.payload_bytes > 0) execute function note_inbound_storage();

    create function forget_inbound_storage() returns trigger language plpgsql as $$
    begin
      delete from inbound_storage_changes;
      update inbound_storage set bytes = 0;
      return null;
    end $$;
    create trigger inbound_deliveries_truncate_storage after truncate on inbound_deliveries
      for each statement execute function forget_inbound_storage();
  `);
}
