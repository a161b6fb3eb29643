/** The sums of values, also while many write concurrently. */
import fc from 'fast-check';
import createKnex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { findDrift, foldLeadCounters } from '../../src/leads/counter-queries.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { insertLeads } from '../support/lists.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;
let db: Database;
/** Several connections, for concurrent writers. */
let pool: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
  await knex.migrate.latest();
  db = new Database(database.url, 6);
  pool = createKnex({ client: 'pg', connection: database.url, pool: { min: 0, max: 5 } });
});

afterAll(async () => {
  await db.close();
  await pool.destroy();
  await database.drop();
});

async function sums(): Promise<string[]> {
  const { rows } = await knex.raw(
    `select concat_ws(' ', status, key, period, reached, total, amount) as sum
      from lead_counters where kind in ('open', 'closed') order by 1`,
  );
  return rows.map(({ sum }: { sum: string }) => sum);
}

async function unfolded(): Promise<number> {
  const { rows } = await knex.raw(
    `select count(*)::int from lead_counter_changes where kind in ('open', 'closed')`,
  );
  return rows[0].count;
}

const worth = (value_amount: string, value_currency: string) => ({ value_amount, value_currency });
const at = { created_at: '2026-02-01T12:00:00.000Z', status_changed_at: '2026-02-03T23:30:00.000Z' };

it('follow leads and sales cycles when they are folded, and are the same when they are rebuilt', async () => {
  await insertLeads(knex, [
    {},
    { status: 'contacted', created_at: at.created_at },
    { ...worth('0.10', 'EUR'), expected_close_on: '2027-01-31' },
    { ...worth('0.20', 'EUR'), expected_close_on: '2027-01-01' },
    { ...worth('999999999999999.99', 'EUR') },
    { ...worth('999999999999999.99', 'EUR') },
    { ...worth('5', 'JPY'), status: 'won', expected_close_on: '2027-01-01', ...at },
    { status: 'won', ...at },
    { status: 'lost', ...at },
  ]);
  await knex('leads')
    .where({ status: 'contacted' })
    .update({ status: 'lost', status_changed_at: at.status_changed_at });
  await knex.raw('select fold_lead_counters(1000)');
  const filled = [
    'lost none 2026-02-03 contacted 1 0',
    'lost none 2026-02-03 none 1 0',
    'new EUR 2027-01-01  2 0.30',
    'new EUR infinity  2 1999999999999999.98',
    'won JPY 2026-02-03 won 1 5',
    'won none 2026-02-03 won 1 0',
  ];
  expect(await sums()).toEqual(filled);

  await knex('leads').where({ value_amount: '999999999999999.99' }).update({ status: 'contacted' });
  await knex('leads').where({ status: 'lost' }).delete();
  expect(await sums()).toEqual(filled);
  await knex.raw('select fold_lead_counters(1000)');
  const after = ['contacted EUR infinity  2 1999999999999999.98', ...filled.slice(2, 3), ...filled.slice(4)];
  expect(await sums()).toEqual(after);
  await knex.raw('delete from lead_counters; select rebuild_lead_counters()');
  expect(await sums()).toEqual(after);

  // A customer who comes back leaves the sale where it was; a correction moves it.
  const change = (fields: object) => knex('leads').where({ value_currency: 'JPY' }).update(fields);
  await change({ status: 'qualified', status_changed_at: '2026-03-01T00:00:00.000Z' });
  await knex.raw('select fold_lead_counters(1000)');
  expect(await sums()).toContain('won JPY 2026-02-03 won 1 5');
  await knex('sales_cycles').where({ status: 'won', value_currency: 'JPY' }).update({ value_amount: '7' });
  await knex.raw('select fold_lead_counters(1000)');
  expect(await sums()).toContain('won JPY 2026-02-03 won 1 7');

  await knex.raw('truncate leads cascade');
  expect(await sums()).toEqual([]);
});

it('nothing is recorded of leads in the pipeline without a value', async () => {
  const [id = ''] = await insertLeads(knex, [{ expected_close_on: '2027-01-01' }]);
  await knex('leads').where({ id }).update({ name: 'Other', status: 'qualified', expected_close_on: null });
  await knex('leads').where({ id }).delete();
  expect(await unfolded()).toBe(0);
});

const lead = fc.record({
  status: fc.constantFrom('new', 'contacted', 'qualified', 'won', 'lost') as fc.Arbitrary<'new'>,
  worth: fc.option(
    fc.record({
      value_amount: fc
        .bigInt({ min: 0n, max: 10n ** 17n - 1n })
        .map((minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`),
      value_currency: fc.constantFrom('EUR', 'USD'),
    }),
    { nil: { value_amount: null, value_currency: null } },
  ),
  expected_close_on: fc.constantFrom(
    null,
    '2027-01-01',
    '2027-01-31',
    '2027-02-01',
    '0001-01-01',
    '9999-12-31',
  ),
  status_changed_at: fc.constantFrom('2026-03-28T23:59:59.999Z', '2026-03-29T00:00:00.000Z'),
});
const write = fc.record({
  verb: fc.constantFrom('insert', 'insert', 'update', 'delete'),
  lead,
  nth: fc.nat(30),
  rolledBack: fc.nat(4).map((n) => n === 0),
});

it('equal a plain sum after concurrent writes, several rows at a time, and rollbacks', async () => {
  const perform = ({
    verb,
    lead: { worth, ...fields },
    nth,
    rolledBack,
  }: typeof write extends fc.Arbitrary<infer T> ? T : never) =>
    pool
      .transaction(async (trx) => {
        // In one order, so that no two writers wait for each other's rows.
        const some = trx('leads').select('id').orderBy('id').offset(nth).limit(3).forUpdate();
        if (verb === 'insert') await insertLeads(trx, [{ ...fields, ...worth }, { ...fields }]);
        else if (verb === 'update')
          await trx('leads')
            .whereIn('id', some)
            .update({ ...fields, ...worth });
        else await trx('leads').whereIn('id', some).delete();
        if (rolledBack) throw new Error('rolled back');
      })
      .catch((error: Error) => {
        if (error.message !== 'rolled back') throw error;
      });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 5, maxLength: 40 }), async (writes) => {
      const folding = writes.slice(0, 3).map(() => foldLeadCounters(db));
      for (let first = 0; first < writes.length; first += 5) {
        await Promise.all(writes.slice(first, first + 5).map(perform));
      }
      expect(await db.transaction((trx) => findDrift(trx, 10))).toEqual([]);
      await Promise.all(folding);
      await foldLeadCounters(db);
      expect(await unfolded()).toBe(0);
      expect(await db.transaction((trx) => findDrift(trx, 10))).toEqual([]);
    }),
    { numRuns: 30, seed: 20261122, endOnFailure: true },
  );
  expect((await sums()).length).toBeGreaterThan(5);
}, 60_000);
