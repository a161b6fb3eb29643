/** The blocks of docs/configuration.md that make settings: never twice. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openChapter } from '../../support/chapter.ts';
import { query } from '../../support/embedded.ts';
import { expectRefusal, expectSuccess, missingAt, Operator } from '../../support/operator.ts';

vi.setConfig({ testTimeout: 240_000 });

const chapter = openChapter('docs/configuration.md');
const [makeSettings, firstClient] = [0, 1].map((index) => chapter.block('Your own PostgreSQL', index)) as [
  string,
  string,
];

let operator: Operator;

beforeEach(async ({ skip }) => {
  const reason = missingAt("Debian's PostgreSQL 15");
  if (reason !== undefined) skip(reason);
  operator = await Operator.withEmptyServer();
});

afterEach(() => operator?.leave());

it('a second paste keeps the settings and their key, and the first client is made with them', async () => {
  const made = await operator.paste(makeSettings);
  expectSuccess(made);
  expect(made.changes).toEqual(['file lead-pipeline.env: new']);
  const file = join(operator.folder, 'lead-pipeline.env');
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(readFileSync(file, 'utf8')).toMatch(/^SECRET_KEY='[\w+/]{43}='$/m);
  expectRefusal(await operator.paste(makeSettings), /exist/);
  expectRefusal(await operator.paste(firstClient, { cwd: operator.home }), /lead-pipeline\.env/);

  await query(operator.url('postgres'), 'create role api login');
  for (const name of ['leads', 'leads_sandbox'])
    await query(operator.url('postgres'), `create database ${name} owner api`);
  const settings = readFileSync(file, 'utf8').replaceAll(/'postgres:.*\/(\w+)'/g, (_all, name) => {
    return `'${operator.url(name).replace('tester', 'api')}'`;
  });
  writeFileSync(file, settings);
  const client = await operator.run(firstClient);
  expectSuccess(client);
  expect(client.stdout).toMatch(/client_secret +lps_live_/);
});

it('without openssl no settings are made', async () => {
  expectRefusal(await operator.paste(`PATH=/nowhere\n${makeSettings}`), /openssl: not found|cat: not found/);
});
