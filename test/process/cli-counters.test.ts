import createKnex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { until } from '../support/deliveries.ts';
import { insertLeads } from '../support/lists.ts';
import { cleanUp, cli, cliJson, type External, externalDatabases, startServer } from '../support/process.ts';

vi.setConfig({ testTimeout: 60_000 });

let env: External['env'];
let db: Knex;

beforeAll(async () => {
  env = (await externalDatabases()).env;
  db = createKnex({ client: 'pg', connection: env.DATABASE_URL, pool: { min: 1, max: 1 } });
});

afterAll(async () => {
  await db.destroy();
  await cleanUp();
});

const verify = ['counters', 'verify', '--environment', 'production'] as const;

async function unfolded(): Promise<number> {
  const { rows } = await db.raw('select count(*) from lead_counter_changes');
  return Number(rows[0].count);
}

it('counters verify lists the counters that differ from the table, and rebuilds them with --repair', async () => {
  await insertLeads(db, [
    { created_at: '2026-02-03T04:05:06.000Z' },
    {
      status: 'won',
      tags: ['vip'],
      created_at: '2026-02-03T04:05:06.000Z',
      status_changed_at: '2026-02-03T04:05:06.000Z',
      value_amount: '5.00',
      value_currency: 'EUR',
    },
  ]);
  const right = await cli(env, ...verify);
  expect(right).toMatchObject({ code: 0, stderr: '' });
  expect(right.stdout).toMatch(/none\.\n$/);
  // Bypasses the triggers that count.
  await db.raw(`set session_replication_role = replica`);
  await db('leads').where({ status: 'won' }).delete();
  await db('sales_cycles').where({ status: 'won' }).delete();
  await insertLeads(db, [
    {
      created_at: '2026-02-03T04:05:06.000Z',
      tags: ['trial', 'trial'],
      value_amount: '7.50',
      value_currency: 'EUR',
    },
  ]);
  await db.raw(`reset session_replication_role`);
  const wrong = await cli(env, ...verify, '--json');
  expect(wrong).toMatchObject({ code: 1, stderr: '' });
  const found = JSON.parse(wrong.stdout);
  expect(found).toHaveLength(15);
  const lines: string[] = found.map((counter: object) => Object.values(counter).join(' '));
  expect(lines).toContain('month all 2026-02-01 new api  1 2 0 0');
  expect(lines.filter((line) => /^(open|closed|tag) /.test(line))).toEqual([
    'closed EUR 2026-02-03 won  won 1 0 5.00 0',
    'open EUR infinity new   0 1 0 7.50',
    'tag trial -infinity new api  0 1 0 0',
    'tag vip -infinity won api  1 0 0 0',
  ]);
  // The repair waits for open transactions, longer than a request would.
  const writer = await db.transaction();
  await writer('leads').update({ company: 'X' });
  const repaired = cliJson(env, ...verify, '--repair').catch(String);
  const waits = writer('pg_locks')
    .where({ granted: false })
    .whereRaw("locktype = 'relation' and relation = 'leads'::regclass")
    .whereRaw("clock_timestamp() - waitstart > '3.2s'");
  await until(async () => (await waits.clone().select('pid')).length === 1, 30);
  await writer.rollback();
  expect(await repaired).toEqual(found);
  expect(await cliJson(env, ...verify)).toEqual([]);
  expect(await cliJson(env, 'counters', 'verify', '--environment', 'sandbox')).toEqual([]);
});

it('a running server folds the counter changes', async () => {
  await insertLeads(db, [{}, { tags: ['vip'], value_amount: '1.00', value_currency: 'EUR' }]);
  expect(await unfolded()).toBeGreaterThan(0);
  const server = await startServer(env);
  await until(async () => (await unfolded()) === 0, 30);
  await insertLeads(db, [{ tags: ['vip'] }]);
  await until(async () => (await unfolded()) === 0, 30);
  expect(await server.stop()).toBe(0);
  expect(await cliJson(env, ...verify)).toEqual([]);
});
