/** The constraints on the values of leads. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';
import { insertLeads } from '../support/lists.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
  await knex.migrate.latest();
});

afterAll(() => database.drop());

it.each([
  { value_amount: '1' },
  { value_currency: 'EUR' },
  { value_amount: '-1', value_currency: 'EUR' },
  { value_amount: '1e15', value_currency: 'EUR' },
  { value_amount: '0.00001', value_currency: 'EUR' },
  { value_amount: '1', value_currency: 'eur' },
  { expected_close_on: 'infinity' },
])('PostgreSQL rejects a lead with %j', async (lead) => {
  await expect(insertLeads(knex, [lead])).rejects.toThrow('violates check constraint "leads_');
});
