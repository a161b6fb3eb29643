/** The words that the search functions find in texts and in searches. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
  await knex.migrate.latest();
});

afterAll(() => database.drop());

async function ask<Value>(sql: string, ...values: string[]): Promise<Value> {
  const { rows } = await knex.raw<{ rows: { value: Value }[] }>(`select ${sql} as value`, values);
  return rows[0]?.value as Value;
}

describe('search_query()', () => {
  it.each([
    ['x '.repeat(100), "'x':*"],
    ['Ada ADA ada', "'ada':*"],
    ['a ad ada adams', "'adams':*"],
    ['ada a adams ad', "'adams':*"],
    ['José jos JOSE\u0301', "'jose':*"],
    ['straße STRASSE stras', "'strasse':*"],
    ['jo.hn@john.example', "'example':* & 'hn':* & 'john':*"],
    ['1 10 100 2', "'100':* & '2':*"],
    ['小 小龍 龍', "'小龍':* & '龍':*"],
    ['za za𠀀 zé', "'za𠀀':* & 'ze':*"],
    ['hn john', "'hn':* & 'john':*"],
    ['', ''],
  ])('of %j is %s: each word once, without those that begin another one', async (search, query) => {
    expect(await ask('search_query(?)::text', search)).toBe(query);
  });

  it('finds the same as a look-up of every word', async () => {
    const parts = ['a', 'ab', 'abc', 'b', 'ba', 'é', 'ea', '小', '小龍', '10', '1'];
    const texts = parts.flatMap((one) => parts.map((other) => `${one}-${other}`));
    await knex.raw(
      `create temp table sample as
       select words, search_vector(words) as vector from unnest(?::text[]) as words`,
      [texts],
    );
    const different = await ask<number>(
      `(select count(*)::int from sample, unnest(?::text[]) as search
        where (vector @@ search_query(search)) is distinct from
          (select bool_and(vector @@ (quote_literal(word) || ':*')::tsquery) from unnest(search_words(search)) as word))`,
      `{${texts.join()}}`,
    );
    expect(different).toBe(0);
  });
});

describe('search_words()', () => {
  it.each([
    ['漢', 683],
    ['𠀀', 1_000],
    ['a', 3_000],
    ['㎉', 1_000],
  ])('cuts a word of %s, %i times, after 500 characters', async (letter, count) => {
    const text = `one ${letter.repeat(count)} two`;
    const words = await ask<string[]>('search_words(?)', text);
    const unaccented = await ask<string>(`lower(unaccent('unaccent', ?))`, letter);
    expect(words).toEqual(['one', [...unaccented.repeat(count)].slice(0, 500).join(''), 'two']);
    expect(await ask<number>('length(search_vector(?))', text)).toBe(3);
  });
});
