import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { knex, prepare } from '../../src/db/query.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, which has all prepared statements.
  db = new Database(database.url, 1);
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('A prepared query', () => {
  let built = 0;
  const sum = prepare<{ first: number; second: number }, { sum: number }>('test_sum', ($) => {
    built += 1;
    return knex.select(knex.raw<number>('?::int + ?::int + ?::int as sum', [$('second'), 100, $('first')]));
  });

  it('is compiled once and then gets values only, each in its place', async () => {
    expect(sum({ first: 1, second: 2 })).toEqual({
      name: 'test_sum',
      text: 'select $1::int + $2::int + $3::int as sum',
      values: [2, 100, 1],
    });
    expect(await db.run(sum({ first: 10, second: 20 }))).toEqual([{ sum: 130 }]);
    expect(await db.run(sum({ first: 3, second: 4 }))).toEqual([{ sum: 107 }]);
    expect(built).toBe(1);
  });

  it('is planned once for each connection', async () => {
    await db.run(sum({ first: 1, second: 1 }));
    const named = knex('pg_prepared_statements').where('name', 'test_sum').select('name');
    expect(await db.run(named)).toHaveLength(1);
  });

  it('takes null and lists as values', async () => {
    const among = prepare<{ ids: string[]; name: string | null }, { text: string }>('test_among', ($) =>
      knex.raw('select text from unnest(?::text[]) as text where text is distinct from ?', [
        $('ids'),
        $('name'),
      ]),
    );
    expect(await db.run(among({ ids: ['a', 'b'], name: 'a' }))).toEqual([{ text: 'b' }]);
    expect(await db.run(among({ ids: ['a'], name: null }))).toEqual([{ text: 'a' }]);
  });
});

describe('A query', () => {
  it('that fails reveals no value', async () => {
    const error: Error = await db.run(knex.raw('select ?::text, 1 / 0', ['Ada-Private'])).then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(error).toMatchObject({ code: '22012' });
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('Private');
  });

  it("that can't be compiled reveals no value", async () => {
    const query = knex('users').where({ name: 'Ada-Private', email: undefined as never });
    const error: Error = await db.run(query).then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(error.message).toContain('Undefined binding');
    expect(error.message).not.toContain('Private');
  });
});
