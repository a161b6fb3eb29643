/** The command import, and imports of exports, which restore the same data. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Environment } from '../../src/environment.ts';
import { seedData } from '../../src/sandbox/seed.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { fetchExport, readCsv } from '../support/exports.ts';
import { cleanUp, cli, cliJson, type External, externalDatabases } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'import-'));
const path = (name: string) => join(folder, name);
let external: External;

beforeAll(async () => {
  external = await externalDatabases();
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await cleanUp();
});

const run = (...args: string[]) => cli(external.env, 'import', ...args);
const runJson = (...args: string[]) => cliJson(external.env, 'import', ...args);
const production = ['--environment', 'production'];

describe('the command import', () => {
  const file = path('leads.csv');

  beforeAll(() => {
    writeFileSync(file, 'Who,E-Mail,a=b\nAda,ada@example.com,gold\nBob,nobody,free\n');
  });

  it('does a dry run, imports, and writes the errors to a file', async () => {
    const args = [
      file,
      ...production,
      '--map',
      'Who=name',
      '--map',
      'a=b=metadata.plan',
      '--default',
      'source=manual',
    ];
    const errors = path('errors.csv');
    const tried = await run(...args, '--dry-run', '--errors', errors);
    expect(tried.code).toBe(1);
    expect(tried.stdout).toMatch(/^Tried the import\. Nothing was changed:\n/);
    expect(tried.stdout).toMatch(/created +1\n/);
    expect(tried.stdout).toMatch(/failed +1\n/);
    expect(readFileSync(errors, 'utf8')).toBe(
      'row,severity,column,field,code,message\r\n3,error,E-Mail,email,validation_failed,must be an email address\r\n',
    );
    writeFileSync(file, readFileSync(file, 'utf8').replace('nobody', 'bob@example.com'));
    const counts = { rows: 2, created: 2, updated: 0, unchanged: 0, failed: 0, status: 'completed' };
    expect(await runJson(...args)).toMatchObject(counts);
    expect(await runJson(...args, '--on-duplicate', 'merge')).toMatchObject({
      ...counts,
      created: 0,
      unchanged: 2,
    });
    await cliJson(
      external.env,
      'export',
      'leads',
      ...production,
      '--metadata',
      'plan=gold',
      '-o',
      path('gold.csv'),
    );
    expect(readFileSync(path('gold.csv'), 'utf8')).toContain('Ada,ada@example.com,,new,manual');
  });

  it('imports times of the past, owners and notes, as the operator', async () => {
    const leads = path('past.csv');
    writeFileSync(
      leads,
      'name,email,external_id,created_at,assigned_user_email\nLin,lin@example.com,51,2024-01-08,joan.clarke@example.com\n',
    );
    const created = { created: 1, failed: 0, status: 'completed' };
    expect(await runJson(leads, ...production, '--create-users', '--yes')).toMatchObject(created);
    const notes = path('notes.csv');
    writeFileSync(notes, 'lead_external_id,text,created_at\n51,Called her.,2024-01-09\n');
    const asNotes = ['--resource', 'notes', '--yes'];
    expect(await runJson(notes, ...production, ...asNotes)).toMatchObject(created);
    expect(await runJson(notes, ...production, ...asNotes)).toMatchObject({ created: 0, unchanged: 1 });
    const output = ['-o', path('past-export.csv')];
    await cliJson(external.env, 'export', 'leads', ...production, '--external-id', '51', ...output);
    const [lin] = readCsv(readFileSync(path('past-export.csv'), 'utf8'));
    expect(lin).toMatchObject({
      created_at: '2024-01-08T00:00:00.000Z',
      assigned_user_id: expect.stringMatching(/^user_/),
    });
  });

  it('imports contacts from NDJSON', async () => {
    writeFileSync(path('contacts.ndjson'), '{"name":"Ada","title":"Countess"}\n');
    const report = await runJson(path('contacts.ndjson'), ...production, '--resource', 'contacts');
    expect(report).toMatchObject({ rows: 1, created: 1 });
  });

  it('reports its progress', async () => {
    writeFileSync(path('many.csv'), `name,email\n${'Eve,eve@example.com\n'.repeat(10_001)}`);
    const { code, stderr } = await run(path('many.csv'), ...production, '--on-duplicate', 'ignore');
    expect(code).toBe(0);
    expect(stderr.trim().split('\n').length).toBeGreaterThan(5);
    expect(stderr).toMatch(/10001 of 10001 leads\n$/);
  });

  it.each([
    [2, /required option '--environment/, [file]],
    [2, /Expected a name and a value/, [file, ...production, '--map', 'name']],
    [1, /mapping\.Mail is not a column of the file/, [file, ...production, '--map', 'Mail=email']],
    [2, /^--on-duplicate must be one of/m, [file, ...production, '--on-duplicate', 'replace']],
    [2, /^--resource must be one of/m, [file, ...production, '--resource', 'cats']],
    [1, /no such file/, [path('missing.csv'), ...production]],
    [1, /The file has no rows/, [path('empty.csv'), ...production]],
    [1, /folder\. Name a file/, [folder, ...production]],
    [2, /^--values\.source\.Show must be/m, [file, ...production, '--values', path('values.json')]],
    [1, /errors\.csv exists already/, [file, ...production, '--rejected', path('errors.csv')]],
    [1, /locale must be a language tag/, [file, ...production, '--locale', 'x']],
  ])('explains the error, with exit code %i: %s', async (code, message, args) => {
    writeFileSync(path('empty.csv'), 'name,email\n');
    writeFileSync(path('values.json'), '{"source": {"Show": 5}}');
    const { stdout, stderr, ...ended } = await run(...args);
    expect([ended.code, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(message);
  });
});

describe('an export', () => {
  let source: TestApp;
  let target: TestApp;

  beforeAll(async () => {
    [source, target] = await Promise.all([startTestApp({ sandbox: true }), startTestApp({ sandbox: true })]);
    await source.sandbox.db.transaction((trx) =>
      seedData(trx, { seed: 42, leads: 500, requestId: 'seed-of-test' }),
    );
  });

  afterAll(() => Promise.all([source.close(), target.close()]));

  it.each([
    ['csv', 'text/csv', 'production', readCsv],
    ['ndjson', 'application/x-ndjson', 'sandbox', readLines],
  ] as const)(
    'of the sample leads as %s restores the same leads elsewhere',
    async (format, accept, environment, read) => {
      const exported = async (app: TestApp, from: Environment) =>
        (await fetchExport(await app.client(['read'], from), '/leads/export?sort=name', accept)).text();
      const text = await exported(source, 'sandbox');
      const file = path(`exported.${format}`);
      writeFileSync(file, text);
      const [production = '', sandbox = ''] = target.databases.map(({ url }) => url);
      const env = { ...external.env, DATABASE_URL: production, SANDBOX_DATABASE_URL: sandbox };
      // The target has other users and content.
      const args = ['--map', 'assigned_user_id=', '--map', 'content_id='];
      const report = await cliJson(env, 'import', file, '--environment', environment, ...args);
      expect(report).toMatchObject({ rows: 500, created: 500, failed: 0 });
      // Fields that the service sets itself differ.
      const own = /^(id|.*_at|version|contact_id|assigned_user_id|content_id)$/;
      const leads = (from: string) =>
        read(from)
          .map((row) => JSON.stringify(Object.entries(row).filter(([field]) => !own.test(field))))
          .sort();
      expect(leads(await exported(target, environment))).toEqual(leads(text));
    },
  );
});

function readLines(text: string): Record<string, unknown>[] {
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
