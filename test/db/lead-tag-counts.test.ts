/** The counts of leads by tag. */
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

async function counts(): Promise<string[]> {
  const { rows } = await knex.raw(
    `select concat_ws(' ', key, status, source, total) as count from lead_counters
      where kind = 'tag' order by key, status, source`,
  );
  return rows.map(({ count }: { count: string }) => count);
}

it('follow the leads when they are folded, and are the same when they are rebuilt', async () => {
  await insertLeads(knex, [
    {},
    { tags: ['vip'] },
    { tags: ['vip', 'newsletter'], status: 'won' },
    // The API can't store the same tag twice; SQL from elsewhere can.
    { tags: ['vip', 'newsletter', 'vip'], status: 'won' },
    { tags: [null as unknown as string, ''], source: 'manual' },
  ]);
  await knex.raw('select fold_lead_counters(1000)');
  const filled = [' new manual 1', 'newsletter won api 2', 'vip new api 1', 'vip won api 2'];
  expect(await counts()).toEqual(filled);

  await knex('leads').where({ status: 'won' }).update({ status: 'lost' });
  await knex('leads').where({ source: 'manual' }).delete();
  expect(await counts()).toEqual(filled);
  await knex.raw('select fold_lead_counters(1000)');
  expect(await counts()).toEqual(['newsletter lost api 2', 'vip lost api 2', 'vip new api 1']);

  await knex.raw('delete from lead_counters; select rebuild_lead_counters()');
  expect(await counts()).toEqual(['newsletter lost api 2', 'vip lost api 2', 'vip new api 1']);

  await knex.raw('truncate leads cascade');
  expect(await counts()).toEqual([]);
});
