import type { Knex } from 'knex';
import * as analytics from './20261120000900_analytics.ts';

/** The reports read the leads themselves. */
export async function up(knex: Knex): Promise<void> {
  await analytics.down(knex);
}

export async function down(knex: Knex): Promise<void> {
  await analytics.up(knex);
}
