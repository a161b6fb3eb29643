import type { Knex } from 'knex';

/** Why an import failed, for the client. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table imports add column failure_reason text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table imports drop column failure_reason');
}
