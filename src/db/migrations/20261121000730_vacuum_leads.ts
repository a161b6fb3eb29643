import type { Knex } from 'knex';

/** VACUUM can't run in a transaction. */
export const config = { transaction: false };

/** After lead_milestones nothing is known to be visible to all, which the reports rely on to be quick. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('vacuum analyze leads');
  await knex.raw('vacuum analyze lead_status_changes');
}

export async function down(): Promise<void> {
  // There is nothing to undo.
}
