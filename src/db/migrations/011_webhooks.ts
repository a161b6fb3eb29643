import type { Knex } from 'knex';

/** Subscribers to events, and their deliveries, which are kept for 30 days with all attempts. */
export async function up(knex: Knex): Promise<void> {
  await tables(knex);
  await criteria(knex);
}

async function tables(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhooks (
      id uuid constraint webhooks_pkey primary key,
      -- The client that created it.
      client_id uuid,
      url text not null,
      description text,
      event_types text[] not null,
      -- As the client sent it, and as a path into lead_states().
      filter json,
      filter_path jsonpath,
      changed text[],
      exclude_own boolean not null default false,
      -- Each as 'client UUID' or 'hook UUID'.
      exclude_actors text[] not null default '{}',
      header_names text[] not null default '{}',
      -- The names with their values, as JSON.
      encrypted_headers bytea,
      status text not null default 'enabled'
        constraint webhooks_status_check check (status in ('enabled', 'paused', 'disabled')),
      disabled_reason text
        constraint webhooks_disabled_reason_check check ((disabled_reason is not null) = (status = 'disabled')),
      encrypted_secret bytea not null,
      encrypted_previous_secret bytea,
      previous_secret_expires_at timestamptz(3),
      last_success_at timestamptz(3),
      -- The earliest event that was not delivered.
      failing_since timestamptz(3),
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      retry_schedule text not null default 'standard'
        constraint webhooks_retry_schedule_check check (retry_schedule in ('standard', 'fast')),
      last_failing_since timestamptz(3),
      -- The earliest event that failed since the last success. Unlike failing_since, enabling the webhook keeps it.
      undelivered_since timestamptz(3),
      -- The earliest event that nothing but a replay delivers: its last attempt failed, or the webhook was disabled. A replay
      -- from there clears it.
      lost_since timestamptz(3),
      -- The first failed attempt since the last success. The webhook is disabled 72 hours later. failing_since may be much
      -- earlier, because a replay may send events from last month.
      first_failed_at timestamptz(3),
      constraint webhooks_filter_check check ((filter is null) = (filter_path is null)),
      constraint webhooks_headers_check check ((encrypted_headers is null) = (header_names = '{}')),
      constraint webhooks_previous_secret_check
        check ((encrypted_previous_secret is null) = (previous_secret_expires_at is null))
    );
    create trigger webhooks_hold_horizon before insert or update on webhooks
      for each statement execute function hold_change_horizon();

    -- Also the workers' queue.
    --
    -- There is no foreign key to webhooks. It would lock the webhook's row in every transaction that changes a resource, so
    -- all writers would contend for it. Deleting a webhook would delete a million deliveries in one transaction. Deliveries
    -- of a deleted webhook are unreachable, and housekeeping deletes them.
    create table webhook_deliveries (
      id uuid constraint webhook_deliveries_pkey primary key default new_uuid(),
      webhook_id uuid not null,
      event_id uuid not null,
      event_type text not null,
      resource_id uuid not null,
      -- The replay that sent it. Without a foreign key, as webhook_id.
      replay_id uuid,
      -- Earlier replays of a delivery that another replay found still pending. It counts for all of them.
      earlier_replay_ids uuid[],
      status text not null default 'pending'
        constraint webhook_deliveries_status_check check (status in ('pending', 'succeeded', 'failed')),
      attempt_count integer not null default 0,
      next_attempt_at timestamptz(3) default now(),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      -- A worker holds the delivery until then. Not indexed, so that leasing is cheap.
      leased_until timestamptz(3)
    );
    -- GET /webhooks/{id}/deliveries. With the included columns, a filtered page and its total are index-only scans.
    create index webhook_deliveries_webhook_id_idx
      on webhook_deliveries (webhook_id, created_at, id) include (status, event_type);
    -- The same for the few pending or failed ones among many.
    create index webhook_deliveries_unsettled_idx
      on webhook_deliveries (webhook_id, status, created_at, id) include (event_type) where status <> 'succeeded';
    -- The workers: each webhook's first attempts (0), then its retries (1), in the order in which they are due.
    create index webhook_deliveries_queue_idx
      on webhook_deliveries (webhook_id, least(attempt_count, 1), next_attempt_at) where status = 'pending';
    -- The same for a paused webhook, which only gets test events.
    create index webhook_deliveries_tests_idx on webhook_deliveries (webhook_id, next_attempt_at)
      where status = 'pending' and event_type = 'webhook.test';
    -- Whether a webhook has failed for 72 hours, without reading waiting deliveries.
    create index webhook_deliveries_failed_idx on webhook_deliveries (webhook_id, updated_at) include (event_id)
      where status <> 'succeeded' and attempt_count > 0;
    -- Replays, and erasing people from stored responses.
    create index webhook_deliveries_resource_id_idx on webhook_deliveries (resource_id, event_id);
    -- The deliveries of a replay, and their counts. Other deliveries are not in it.
    create index webhook_deliveries_replay_id_idx on webhook_deliveries (replay_id, created_at, id)
      include (status, event_type) where replay_id is not null;
    create index webhook_deliveries_earlier_replay_ids_idx on webhook_deliveries using gin (earlier_replay_ids)
      where earlier_replay_ids is not null;

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

/**
 * Which webhooks want an event. New events, replays and POST /webhooks/{id}/test all ask unmet_criterion(), which looks only at
 * the event and the webhook, so that they never differ.
 */
async function criteria(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- A lead as filters see it: in lower case what lists of leads compare in lower case, and its amount as a number.
    create function filtered_lead(lead jsonb) returns jsonb language sql immutable parallel safe
      return lead || jsonb_build_object(
        'company', lower(lead ->> 'company'), 'lost_reason', lower(lead ->> 'lost_reason'),
        'emails', lower((jsonb_build_array(lead -> 'email') || (lead -> 'other_emails'))::text)::jsonb,
        'amount', (lead #>> '{value,amount}')::numeric
      );

    -- The lead after an event, and before it. Null if the event's object is no lead, or only its id.
    create function lead_states(object json, changes json) returns jsonb language sql immutable parallel safe
      return case when object ->> 'id' like 'lead\_%' and object -> 'status' is not null then jsonb_build_array(
        filtered_lead(object::jsonb),
        filtered_lead(object::jsonb || (
          select coalesce(jsonb_object_agg(key, value -> 'from'), '{}') from json_each(changes)
        ))
      ) end;

    -- The names of the fields that an event changes. Long values have a digest in changes.
    create function changed_fields(changes json) returns text[] language sql immutable parallel safe
      return array(select regexp_replace(key, '_sha256$', '') from json_object_keys(changes) as key);

    -- Why a webhook doesn't want an event: the first criterion that the event doesn't meet, the cheapest first. Null if it
    -- wants the event. PostgreSQL puts the body into the query, since it has no subquery and nothing that isn't immutable. A call
    -- would take 20 µs for each webhook and event.
    create function unmet_criterion(
      webhook webhooks, event_type text, resource_id uuid, actor_type text, actor_id uuid, changed text[], states jsonb
    ) returns text language sql immutable parallel safe
      return case
        -- The first one goes to one webhook only, the second one to all but the disabled one.
        when event_type = 'webhook.test' or (event_type = 'webhook.disabled' and resource_id = webhook.id) then 'recipient'
        when not webhook.event_types && array['*', event_type, split_part(event_type, '.', 1) || '.*'] then 'event_types'
        when webhook.exclude_own and actor_type = 'client' and actor_id = webhook.client_id then 'exclude_own'
        when webhook.exclude_actors <> '{}' and actor_type || ' ' || actor_id::text = any(webhook.exclude_actors)
          then 'exclude_actor_ids'
        when webhook.changed is not null and event_type like '%.updated' and not webhook.changed && changed then 'changed'
        when webhook.filter_path is not null and not jsonb_path_exists(states, webhook.filter_path, '{}', true) then 'filter'
      end;
  `);
}
