/** The functions that erase a person from an event keep the order of fields and whatever isn't personal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await database.knex.migrate.latest();
});

afterAll(() => database.drop());

async function erased(name: 'erase_fields' | 'erase_changes', shown: object): Promise<string> {
  const sql = `select (select erased from ${name}(shown, 'gone@erased.invalid'))::text as text
    from (select ?::json as shown) as event`;
  const { rows } = await database.knex.raw(sql, [JSON.stringify(shown)]);
  return rows[0].text;
}

it('replaces personal fields of an object in their places', async () => {
  const object = {
    id: 'lead_1',
    name: 'Ada',
    email: 'ada@example.com',
    phone: null,
    tags: ['vip'],
    note_sha256: 'abc',
    metadata: { name: 'Ada' },
    value: { amount: '1.00', currency: 'EUR' },
    version: 1,
  };
  expect(await erased('erase_fields', object)).toBe(
    '{ "id" : "lead_1", "name" : "Erased", "email" : "gone@erased.invalid", "phone" : null, "tags" : [], ' +
      '"note_sha256" : null, "metadata" : {}, "value" : {"amount":"1.00","currency":"EUR"}, "version" : 1 }',
  );
  expect(await erased('erase_fields', { text: 'Called', email: null, author_name: 'Ada' })).toBe(
    '{ "text" : "Erased", "email" : null, "author_name" : null }',
  );
});

it('replaces both values of a change', async () => {
  const changes = {
    status: { from: 'new', to: 'won' },
    email: { from: null, to: 'ada@example.com' },
    company: { from: 'One', to: 'Two' },
    tags: { from: ['vip'], to: [] },
    name: { from: 'Ada', to: 'Eve' },
  };
  expect(await erased('erase_changes', changes)).toBe(
    '{ "status" : {"from" : "new", "to" : "won"}, "email" : {"from" : null, "to" : "gone@erased.invalid"}, ' +
      '"company" : {"from" : null, "to" : null}, "tags" : {"from" : [], "to" : []}, ' +
      '"name" : {"from" : "Erased", "to" : "Erased"} }',
  );
  expect(await erased('erase_changes', {})).toBe('{}');
});
