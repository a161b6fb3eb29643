import type { Knex } from 'knex';

/** In the sandbox, a webhook may make its ten attempts within a minute. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhooks add column retry_schedule text not null default 'standard'
      constraint webhooks_retry_schedule_check check (retry_schedule in ('standard', 'fast'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhooks drop column retry_schedule');
}
