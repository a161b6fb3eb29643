/** What the values of leads find in a database that has leads already. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase, migrateBefore } from '../support/database.ts';
import { insertLeads } from '../support/lists.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
});

afterAll(() => database.drop());

async function objects(): Promise<string[]> {
  const { rows } = await knex.raw('select type, object from events order by position');
  return rows.map(
    ({ type, object }: { type: string; object: object }) => `${type} ${JSON.stringify(object)}`,
  );
}

it('events of leads tell that they had none, and nothing of it after the way back', async () => {
  await migrateBefore(knex, '20261122001100');
  const [id = ''] = await insertLeads(knex, [{}]);
  const event = (type: string) =>
    knex.raw(
      `insert into events (type, occurred_at, request_id, actor_type, resource_id, object)
        values (?, now(), 'r', 'system', ?, '{"name":"Ada","id":"1"}')`,
      [type, id],
    );
  for (const type of ['lead.created', 'lead.deleted', 'contact.created']) await event(type);
  const before = await objects();
  await knex.migrate.up();
  expect(await objects()).toEqual([
    'lead.created {"name":"Ada","id":"1","value":null,"expected_close_on":null}',
    'lead.deleted {"name":"Ada","id":"1"}',
    'contact.created {"name":"Ada","id":"1"}',
  ]);
  await knex.migrate.down();
  expect(await objects()).toEqual(before);
  await knex.migrate.up();
});

it.each([
  { value_amount: '1' },
  { value_currency: 'EUR' },
  { value_amount: '-1', value_currency: 'EUR' },
  { value_amount: '1e15', value_currency: 'EUR' },
  { value_amount: '0.00001', value_currency: 'EUR' },
  { value_amount: '1', value_currency: 'eur' },
  { expected_close_on: 'infinity' },
])('a lead with %j is refused from anywhere', async (lead) => {
  await expect(insertLeads(knex, [lead])).rejects.toThrow('violates check constraint "leads_');
});
