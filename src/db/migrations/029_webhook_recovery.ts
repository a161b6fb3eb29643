import type { Knex } from 'knex';

/** What a recovery of a webhook has to send again, whatever happened in between. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhooks
      -- The earliest event that failed since the last success. Unlike failing_since, enabling the webhook keeps it.
      add column undelivered_since timestamptz(3),
      -- The earliest event that nothing but a replay delivers: its last attempt failed, or the webhook was disabled. A replay
      -- from there clears it.
      add column lost_since timestamptz(3);
    update webhooks set
      undelivered_since = coalesce(
        failing_since,
        case when (last_success_at > last_failing_since) is not true then last_failing_since end
      ),
      lost_since = case when status = 'disabled' then failing_since end;

    -- The webhook's lost_since, if the replay sends again all that was lost. Cancelling the replay restores it.
    alter table webhook_replays add column covers_since timestamptz(3);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_replays drop column covers_since;
    alter table webhooks drop column undelivered_since, drop column lost_since;
  `);
}
