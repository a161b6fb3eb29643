import type { Knex } from 'knex';

/**
 * The deliveries themselves are the workers' queue, instead of jobs in tables of pg-boss. Pending deliveries are in it by
 * their own rows, so what waited as a job still waits.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Until then a worker has the delivery. In no index, so that leasing touches none.
    alter table webhook_deliveries add column leased_until timestamptz(3);

    -- Of each webhook: first attempts (0), then later ones (1), each in the order in which they are due.
    create index webhook_deliveries_queue_idx
      on webhook_deliveries (webhook_id, least(attempt_count, 1), next_attempt_at) where status = 'pending';

    drop schema if exists pgboss cascade;
  `);
}

/**
 * The schema pgboss stays dropped: earlier versions of the service make it when they start. They don't make jobs for
 * deliveries that are pending by then, which have to be replayed.
 */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index webhook_deliveries_queue_idx;
    alter table webhook_deliveries drop column leased_until;
  `);
}
