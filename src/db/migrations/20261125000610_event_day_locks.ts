import type { Knex } from 'knex';

/**
 * Making or dropping a day of the log needs a lock that excludes everyone. While it waits behind a long reader, everyone
 * else waits behind it, so it gives up after 50 milliseconds, and housekeeping tries again. DETACH PARTITION CONCURRENTLY
 * would need no such lock, but PostgreSQL refuses it where there is a default partition.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter function drop_event_days(date) set lock_timeout = '50ms';
    alter function prepare_event_day(date) set lock_timeout = '50ms';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter function prepare_event_day(date) set lock_timeout = '500ms';
    alter function drop_event_days(date) set lock_timeout = '500ms';
  `);
}
