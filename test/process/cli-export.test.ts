import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { fetchExport } from '../support/exports.ts';
import { insertLeads } from '../support/lists.ts';
import { cli, cliJson } from '../support/process.ts';

vi.setConfig({ testTimeout: 60_000 });

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
    SECRET_KEY: app.secretKey.toString('base64'),
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
  expect(existsSync(`${file}.part`)).toBe(false);
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

it('writes only the fields that are wanted', async () => {
  const args = ['--email', 'lead7@example.com', '--fields', 'name', '--fields', 'email', '-o', file];
  await cliJson(env, 'export', 'leads', ...production, ...args);
  expect(readFileSync(file, 'utf8')).toMatch(/^id,name,email\r\nlead_\w+,Lead 7,lead7@example.com\r\n$/);
});

it.each([
  ['status must be one of new, contacted, qualified, won, lost.\n', ['--status', 'open', '-o', file]],
  ['reached_to can only be sent together with reached.\n', ['--reached-to', '2026-01-01', '-o', file]],
  [/no such file or directory/, ['-o', join(folder, 'missing', 'leads.csv')]],
])('explains the error, and leaves the file unchanged: %s', async (message, args) => {
  writeFileSync(file, 'of before');
  const { code, stdout, stderr } = await cli(env, 'export', 'leads', ...production, ...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
  expect(readFileSync(file, 'utf8')).toBe('of before');
});
