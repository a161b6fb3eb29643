import type { Knex } from 'knex';

/** How far the deletion of old rows has come, and whether a jump of the clock holds it back. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row.
    create table retention_clock (
      singleton boolean constraint retention_clock_pkey primary key default true
        constraint retention_clock_singleton_check check (singleton),
      -- Rows that had expired by then may be deleted.
      reached timestamptz(3) not null default clock_timestamp(),
      checked_at timestamptz(3) not null default clock_timestamp(),
      -- How long the service has run since it noticed a jump. Null if nothing holds the deletion back. Milliseconds.
      waited bigint
    );
    insert into retention_clock default values;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table retention_clock');
}
