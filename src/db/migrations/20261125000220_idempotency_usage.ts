import type { Knex } from 'knex';

/** How many bytes of answers each client had stored in each hour, so that they can be bounded. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table idempotency_usage (
      client_id uuid not null,
      hour timestamptz(3) not null,
      bytes bigint not null,
      constraint idempotency_usage_pkey primary key (client_id, hour)
    )
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_usage');
}
