import type { Knex } from 'knex';

/** Replays are kept after they have ended, with their progress, and deliveries know which replay sent them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_replays
      add column id uuid not null default new_uuid(),
      add column status text not null default 'queued'
        constraint webhook_replays_status_check check (status in ('queued', 'running', 'completed', 'cancelled', 'failed')),
      add column events_read integer not null default 0,
      add column deliveries_created integer not null default 0,
      add column deliveries_hurried integer not null default 0,
      add column actor_type text not null default 'system',
      add column actor_id uuid,
      add column actor_user_id uuid,
      -- The API key that it was created with.
      add column key_id uuid,
      add column failure_code text,
      add column failure_reason text,
      add column created_at timestamptz(3) not null default statement_timestamp(),
      add column started_at timestamptz(3),
      add column finished_at timestamptz(3),
      -- contract: a webhook has several replays. The next constraint replaces it; no published version relied on it.
      drop constraint webhook_replays_pkey,
      add constraint webhook_replays_pkey primary key (id);
    -- At most one unfinished replay per webhook. Also the workers' queue.
    create unique index webhook_replays_unfinished_key on webhook_replays (webhook_id)
      where status in ('queued', 'running');
    -- GET /webhooks/{id}/replays.
    create index webhook_replays_webhook_id_idx on webhook_replays (webhook_id, created_at, id);

    -- Without a foreign key, as webhook_id.
    alter table webhook_deliveries add column replay_id uuid;
    -- The deliveries of a replay, and their counts. Other deliveries are not in it.
    create index webhook_deliveries_replay_id_idx on webhook_deliveries (replay_id, created_at, id)
      include (status, event_type) where replay_id is not null;
    -- Earlier replays of a delivery that another replay found still pending. It counts for all of them.
    alter table webhook_deliveries add column earlier_replay_ids uuid[];
    create index webhook_deliveries_earlier_replay_ids_idx on webhook_deliveries using gin (earlier_replay_ids)
      where earlier_replay_ids is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index webhook_deliveries_replay_id_idx, webhook_deliveries_earlier_replay_ids_idx;
    alter table webhook_deliveries drop column replay_id, drop column earlier_replay_ids;
    delete from webhook_replays where status not in ('queued', 'running');
    drop index webhook_replays_unfinished_key, webhook_replays_webhook_id_idx;
    alter table webhook_replays
      drop constraint webhook_replays_pkey,
      add constraint webhook_replays_pkey primary key (webhook_id),
      drop column id, drop column status, drop column events_read, drop column deliveries_created,
      drop column deliveries_hurried, drop column actor_type, drop column actor_id, drop column actor_user_id,
      drop column key_id, drop column failure_code, drop column failure_reason,
      drop column created_at, drop column started_at, drop column finished_at;
  `);
}
