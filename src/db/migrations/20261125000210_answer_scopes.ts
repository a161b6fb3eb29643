import type { Knex } from 'knex';

/** A stored answer is replayed only to credentials with the scopes that it depends on. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_keys add scopes text[]');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_keys drop scopes');
}
