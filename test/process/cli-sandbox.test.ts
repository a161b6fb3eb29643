import createKnex from 'knex';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import { cleanUp, cli, cliJson, type External, externalDatabases } from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 120_000 });

let env: External['env'];

beforeAll(async () => {
  env = (await externalDatabases()).env;
});

async function countLeads(url: string): Promise<number> {
  const db = createKnex({ client: 'pg', connection: url });
  const leads = await db('leads').select('id');
  await db.destroy();
  return leads.length;
}

it('fills the sandbox, refuses the same seed, and empties it; production stays empty', async () => {
  const made = await cliJson<Record<string, number>>(env, 'sandbox', 'seed', '--seed', '7', '--leads', '20');
  expect(made).toMatchObject({ seed: 7, users: 10, content: 20, leads: 20 });
  expect(await countLeads(env.SANDBOX_DATABASE_URL)).toBe(20);
  expect(await countLeads(env.DATABASE_URL)).toBe(0);
  const again = await cli(env, 'sandbox', 'seed', '--seed', '7');
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toMatch(/^The sandbox already contains the data of this seed[^\n]+\n$/);
  const { seed: _seed, ...deleted } = made;
  expect(await cliJson(env, 'sandbox', 'reset', '--yes')).toEqual(deleted);
  expect(await countLeads(env.SANDBOX_DATABASE_URL)).toBe(0);
});

it('prints its progress line by line for more than 10,000 leads', async () => {
  const { code, stdout, stderr } = await cli(env, 'sandbox', 'seed', '--leads', '10001', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ seed: 42, leads: 10_001 });
  expect(stderr).toMatch(/^(\d+ of 10001 leads\n)+$/);
  expect(stderr).toMatch(/\n10001 of 10001 leads\n$/);
});

it('draws a progress bar on a terminal for more than 10,000 leads', () => {
  const written: string[] = [];
  const terminal = { isTTY: true, write: (text: string) => written.push(text) > 0 };
  const onProgress = createProgress(terminal, 20_000);
  for (const done of [10_000, 20_000]) onProgress?.(done);
  expect(written[0]).toMatch(/^\r█{20}░{20} 50 % of 20000 leads$/);
  expect(written[1]).toMatch(/^\r█{40} 100 % of 20000 leads\n$/);
  expect(createProgress(terminal, 10_000)).toBeUndefined();
});

it.each([
  ['--seed', '-1'],
  ['--leads', '100001'],
  ['--leads', '1e3'],
  ['--environment', 'production'],
])('refuses %s %s with exit code 2', async (option, value) => {
  const { code, stderr } = await cli(env, 'sandbox', 'seed', `${option}=${value}`);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^[^\n]+\n$/);
});
