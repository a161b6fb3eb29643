import type { Knex } from 'knex';

/** VACUUM can't run in a transaction. */
export const config = { transaction: false };

/**
 * After lead_milestones nothing is known to be visible to all, which the reports rely on to be quick. An empty table is left
 * alone: PostgreSQL plans for some rows in it until it has counted none, and then a session that adds the first ones keeps
 * a plan that reads all of them for each foreign key.
 */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw('select from leads limit 1');
  if (rows.length === 0) return;
  await knex.raw('vacuum analyze leads');
  await knex.raw('vacuum analyze lead_status_changes');
}

export async function down(): Promise<void> {
  // There is nothing to undo.
}
