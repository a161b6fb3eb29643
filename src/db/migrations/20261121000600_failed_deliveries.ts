import type { Knex } from 'knex';

/** For the question whether a webhook has failed for long, which must not read through the deliveries that just wait. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index webhook_deliveries_failed_idx on webhook_deliveries (webhook_id, updated_at) include (event_id)
      where status <> 'succeeded' and attempt_count > 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index webhook_deliveries_failed_idx;');
}
