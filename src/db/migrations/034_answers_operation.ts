import type { Knex } from 'knex';

/** After an erasure, the operation is all that is left to tell a repeated request from another one with the same key. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The operationId. Null if an earlier version stored the response.
    alter table idempotency_keys add column operation text
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_keys drop column operation');
}
