/** The counts of leads by tag in a database that has leads already. */
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

async function counts(): Promise<string[]> {
  const { rows } = await knex.raw(
    `select concat_ws(' ', tag, status, source, total) as count from lead_tag_counts order by tag, status, source`,
  );
  return rows.map(({ count }: { count: string }) => count);
}

it('are filled by the migration, and gone after its way back', async () => {
  while ((await knex.migrate.currentVersion()) !== '20261122000100') await knex.migrate.up();
  await insertLeads(knex, [
    {},
    { tags: ['vip'] },
    { tags: ['vip', 'newsletter'], status: 'won' },
    // The API can't store the same tag twice; SQL from elsewhere can.
    { tags: ['vip', 'newsletter', 'vip'], status: 'won' },
    { tags: [null as unknown as string, ''], source: 'manual' },
  ]);
  await knex.migrate.up();
  const filled = [' new manual 1', 'newsletter won api 2', 'vip new api 1', 'vip won api 2'];
  expect(await counts()).toEqual(filled);

  await knex('leads').where({ status: 'won' }).update({ status: 'lost' });
  await knex('leads').where({ source: 'manual' }).delete();
  expect(await counts()).toEqual(filled);
  await knex.raw('select fold_lead_counts(1000)');
  expect(await counts()).toEqual(['newsletter lost api 2', 'vip lost api 2', 'vip new api 1']);

  await knex.raw('delete from lead_tag_counts; select rebuild_lead_counts()');
  expect(await counts()).toEqual(['newsletter lost api 2', 'vip lost api 2', 'vip new api 1']);

  await knex.migrate.down();
  const [id] = await insertLeads(knex, [{ tags: ['vip'] }]);
  await knex('leads').where({ id }).update({ tags: [] });
  await knex.raw('select fold_lead_counts(1000), rebuild_lead_counts()');
  await knex.raw('truncate leads cascade');
  const { rows } = await knex.raw(`select count(*)::int from lead_counts_of_all`);
  expect(rows[0].count).toBe(0);
});
