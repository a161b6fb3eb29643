import type { Knex } from 'knex';

/** Ends all tokens of a client that were issued before, whatever the clocks say. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Tokens of an earlier generation are revoked.
    alter table api_clients add column token_generation integer not null default 0
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table api_clients drop column token_generation');
}
