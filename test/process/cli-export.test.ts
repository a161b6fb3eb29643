import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { fetchExport } from '../support/exports.ts';
import { insertLeads } from '../support/lists.ts';
import { cli, cliJson } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'export-'));
const file = join(folder, 'leads.csv');
let app: TestApp;
let client: TestClient;
let env: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  const [production = '', sandbox = ''] = app.databases.map(({ url }) => url);
  env = {
    DATABASE_URL: production,
    SANDBOX_DATABASE_URL: sandbox,
    SECRET_KEY: app.secretKey[0].toString('base64'),
    DATA_DIR: folder,
  };
  const leads = Array.from({ length: 1_000 }, (_, n) => ({
    name: `Lead ${n}`,
    email: `lead${n}@example.com`,
    status: 'won' as const,
  }));
  await insertLeads(app.production.knex, leads);
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const production = ['--environment', 'production'];

it('writes the same file that GET /leads/export returns', async () => {
  const args = ['--search', 'lead 77', '--created-from', '2020-01-01', '--status', 'won,lost', '-o', file];
  const report = await cliJson(env, 'export', 'leads', ...production, ...args);
  const path = '/leads/export?search=lead%2077&created_from=2020-01-01&status=won,lost';
  const text = await (await fetchExport(client, path)).text();
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(report).toEqual({ file, leads: text.split('\r\n').length - 2 });
  expect(text).toContain('Lead 77,');
  expect(text).toContain('Lead 777,');
  expect(readdirSync(folder)).toEqual(['leads.csv']);
});

it('keeps the permissions of the file that it replaces', async () => {
  const secret = join(folder, 'secret.csv');
  writeFileSync(secret, 'before', { mode: 0o600 });
  await cliJson(env, 'export', 'leads', ...production, '-o', secret);
  expect(readFileSync(secret, 'utf8')).toMatch(/^id,/);
  expect(statSync(secret).mode & 0o777).toBe(0o600);
});

it('writes NDJSON, and contacts', async () => {
  const lines = join(folder, 'leads.ndjson');
  const args = ['--email', 'lead7@example.com', '--format', 'ndjson', '-o', lines];
  await cliJson(env, 'export', 'leads', ...production, ...args);
  expect(JSON.parse(readFileSync(lines, 'utf8'))).toMatchObject({ name: 'Lead 7' });
  const contacts = join(folder, 'contacts.csv');
  await cliJson(env, 'export', 'contacts', ...production, '-o', contacts);
  expect(readFileSync(contacts, 'utf8')).toMatch(/^id,name,.*\r\n$/);
});

it('follows the ending of the file, unless --format says otherwise', async () => {
  const filter = ['--email', 'lead7@example.com'];
  const write = async (name: string, ...args: string[]) => {
    const target = join(folder, name);
    const { code, stderr } = await cli(
      env,
      'export',
      'leads',
      ...production,
      ...filter,
      '-o',
      target,
      ...args,
    );
    return [code, stderr, existsSync(target) ? readFileSync(target, 'utf8').slice(0, 6) : undefined];
  };
  expect(await write('ending.ndjson')).toEqual([0, '', '{"id":']);
  expect(await write('ending.JSONL')).toEqual([0, '', '{"id":']);
  expect(await write('ending.txt')).toEqual([0, '', 'id,nam']);
  expect(await write('ending.xlsx', '--format', 'csv')).toEqual([0, '', 'id,nam']);
  const refused =
    "ending.json can't be written: exports are CSV or NDJSON. Name the file .csv or .ndjson, or say --format.";
  expect(await write('ending.json')).toEqual([2, expect.stringContaining(refused), undefined]);
});

it('writes to standard output by default', async () => {
  const { code, stdout } = await cli(env, 'export', 'leads', ...production, '--email', 'lead7@example.com');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^id,name,[^\r]+\r\n[^\r]+\r\n$/)]);
});

it('writes only the fields that are wanted', async () => {
  const args = ['--email', 'lead7@example.com', '--fields', 'name', '--fields', 'email', '-o', file];
  await cliJson(env, 'export', 'leads', ...production, ...args);
  expect(readFileSync(file, 'utf8')).toMatch(/^id,name,email\r\nlead_\w+,Lead 7,lead7@example.com\r\n$/);
});

it.each([
  [2, '--status must be one of new, contacted, qualified, won, lost.\n', ['--status', 'open', '-o', file]],
  [2, '--reached-to can only be sent together with reached.\n', ['--reached-to', '2026-01-01', '-o', file]],
  [
    2,
    /--created-from must be .*, or a date such as 2026-11-20\.\n$/,
    ['--created-from', 'today', '-o', file],
  ],
  [1, /no such file or directory/, ['-o', join(folder, 'missing', 'leads.csv')]],
])(
  'explains the error with exit code %i, and leaves the file unchanged: %s',
  async (exitCode, message, args) => {
    writeFileSync(file, 'of before');
    const { code, stdout, stderr } = await cli(env, 'export', 'leads', ...production, ...args);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toMatch(message);
    expect(readFileSync(file, 'utf8')).toBe('of before');
  },
);
