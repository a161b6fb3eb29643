/** The counters of a database in which very full days are divided become those of whole days. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createEmptyDatabase } from '../support/database.ts';
import { insertLeads } from '../support/lists.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
});

afterAll(() => database.drop());

async function total(sql: string): Promise<number> {
  const { rows } = await knex.raw(`select ${sql}`);
  return Number(Object.values(rows[0])[0]);
}

it('turns divided counters into undivided ones, and back', async () => {
  while ((await knex.migrate.currentVersion()) !== '20261120000900') await knex.migrate.up();
  const day = (hour: number) => new Date(Date.UTC(2026, 1, 10, hour)).toISOString();
  await insertLeads(
    knex,
    Array.from({ length: 50 }, (_, n) => ({ created_at: day(n % 3), status: n % 2 ? 'won' : 'new' })),
  );
  await knex.raw('select fold_lead_counts(1000)');
  await knex.raw('select split_lead_parts(20)');
  expect(await total('count(*) from lead_parts')).toBeGreaterThan(1);
  // Not folded yet.
  await insertLeads(knex, [{ created_at: day(2) }, { created_at: day(30) }]);
  while ((await knex.migrate.currentVersion()) !== '20261121000700') await knex.migrate.up();
  expect(await total('count(*) from (table lead_counts_by_leads except table lead_counts) as missing')).toBe(
    0,
  );
  expect(await total('count(*) from (table lead_counts except table lead_counts_by_leads) as extra')).toBe(0);
  expect(await total(`sum(total) from lead_counts_of_all where span = 'day'`)).toBe(52);
  expect(await total(`count(distinct begins) from lead_counts_of_all where span = 'day'`)).toBe(2);
  await knex.migrate.down();
  expect(await total(`sum(total) from lead_counts_of_all where span = 'part'`)).toBe(52);
});
