import type { Knex } from 'knex';

/** What a webhook needs to recover from an outage: from when on events are missing, and a replay of what is missing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- failing_since is now the time of the earliest event that was not delivered. The 72 hours after which a webhook is
    -- disabled begin with the first failed attempt, which may be much later: a replay may send events of last month.
    alter table webhooks
      add column last_failing_since timestamptz(3),
      add column first_failed_at timestamptz(3);
    update webhooks set first_failed_at = failing_since;

    -- A paused webhook gets its test events, and nothing else of all that waits for it.
    create index webhook_deliveries_tests_idx on webhook_deliveries (webhook_id, next_attempt_at)
      where status = 'pending' and event_type = 'webhook.test';

    alter table webhook_replays add column only_undelivered boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_replays drop column only_undelivered;
    drop index webhook_deliveries_tests_idx;
    alter table webhooks drop column last_failing_since, drop column first_failed_at;
  `);
}
