/** The files of test/cases that show how files are written. Its README.md says what is right. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { errorsOf, type Import, readImport, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

// The files share their addresses.
beforeEach(() => app.production.knex('leads').delete());

afterAll(() => app.close());

interface Lead {
  name: string;
  email: string;
  [field: string]: unknown;
}

async function importCase(name: string): Promise<{ done: Import; leads: Lead[] }> {
  const file = readFileSync(new URL(`../../cases/${name}`, import.meta.url));
  const { body } = await upload(client, file, 'start=false&accept_doubts=footer').expect(202);
  await client.post(`/imports/${body.data.id}/start`, {}).expect(202);
  await runJobs(app.production);
  const { body: list } = await client.get('/leads?sort=created_at&per_page=100').expect(200);
  const done = await readImport(client, body.data.id);
  return { done, leads: list.data };
}

const codesOf = ({ warnings }: Import) => warnings.map(({ code }) => code);
const unusedOf = ({ unused_columns }: Import) => unused_columns.map(({ column }) => column);

describe('the case', () => {
  it.each([['01-linkedin-connections.csv'], ['01c-linkedin-no-preamble.csv']])('%s has Ada', async (name) => {
    const { done, leads } = await importCase(name);
    expect(leads[0]).toMatchObject({
      name: 'Ada Example',
      email: 'ada@example.com',
      company: 'Engines, Inc.',
    });
    expect(unusedOf(done)).toEqual(expect.arrayContaining(['URL', 'Connected On']));
    expect(codesOf(done)).toEqual(name.startsWith('01-') ? ['rows_above_header'] : []);
  });

  it.each<[string, string[], string[]]>([
    [
      '04-duplicate-headers.csv',
      ['Name', 'Email', 'Phone', 'Phone (2)', 'Notes', 'Notes (2)'],
      ['ada@example.com'],
    ],
    ['04b-empty-duplicate-headers.csv', ['Name', 'Email', 'Column 3', 'Column 4'], ['ada@example.com']],
    ['05-trailing-delimiter-in-rows.csv', ['name', 'email'], ['ada@example.com', 'bob@example.com']],
    ['05b-excel-padding.csv', ['name', 'email', 'company'], ['ada@example.com', 'bob@example.com']],
    [
      '05c-short-rows.csv',
      ['firstname', 'email', 'company'],
      ['ada@example.com', 'george@example.com', 'kramer@example.com'],
    ],
    ['05d-header-and-rows-trailing.csv', ['name', 'email'], ['ada@example.com']],
    ['07-sep-line.csv', ['Name', 'E-Mail'], ['ada@example.com']],
    ['08-pipe.csv', ['name', 'email', 'company'], ['ada@example.com']],
    ['10-quoted-multiline-header.csv', ['Full name', 'E-mail address'], ['ada@example.com']],
    ['10b-bom-quoted-header.csv', ['name', 'email'], ['ada@example.com']],
  ])('%s is read', async (name, columns, emails) => {
    const { done, leads } = await importCase(name);
    expect(done.columns).toEqual(columns);
    expect(done.counts).toMatchObject({ created: emails.length, failed: 0 });
    expect(leads.map(({ email }) => email)).toEqual(emails);
  });

  it('04 has the first filled phone', async () => {
    expect((await importCase('04-duplicate-headers.csv')).leads).toMatchObject([{ phone: '+15551234567' }]);
  });

  it('06 is windows-1252', async () => {
    const { done, leads } = await importCase('06-windows-1252.csv');
    expect(leads).toMatchObject([{ name: 'Jürgen Müller', company: 'Größe GmbH' }]);
    expect(done).toMatchObject({ charset: 'windows-1252', warnings: [{ code: 'encoding', row: 2 }] });
  });

  it('06d has one byte in windows-1252', async () => {
    const { done, leads } = await importCase('06d-utf8-one-bad-byte.csv');
    expect(leads.map(({ name }) => name)).toEqual(['Ada', 'Jürgen', 'Bob']);
    expect(done.warnings).toMatchObject([{ code: 'encoding', row: 3 }]);
  });

  it.each<[string, object[]]>([
    ['09-inch-quote.csv', [{ company: '5" Pipes Ltd' }, { company: 'Acme' }]],
    ['09b-nickname-quote.csv', [{ name: 'Robert "Bob" Smith' }, { name: 'Ada' }]],
    ['09c-tsv-with-quotes.tsv', [{ name: 'Robert "Bob" Smith' }]],
    ['09d-space-before-quote.csv', [{ name: 'Smith, Bob', email: 'bob@example.com', company: 'Acme, Inc.' }]],
    ['11b-long-header.csv', [{ name: 'Ada' }]],
    ['12b-blank-line-first.csv', [{ name: 'Ada' }]],
    ['30-ndjson-big-ids.ndjson', [{ external_id: '9007199254740993' }, { external_id: '9007199254740992' }]],
    ['31-ndjson-money.ndjson', [{ value: { amount: '99999999999999.99', currency: 'EUR' } }]],
  ])('%s keeps every character', async (name, leads) => {
    expect((await importCase(name)).leads).toMatchObject(leads);
  });

  it('11 has 201 columns, of which three are used', async () => {
    const { done, leads } = await importCase('11-201-columns.csv');
    expect(leads).toMatchObject([{ name: 'Ada Example' }]);
    expect(done.columns).toHaveLength(201);
    expect(unusedOf(done)).toHaveLength(198);
  });

  it('12 has no header', async () => {
    const { done, leads } = await importCase('12-no-header.csv');
    expect(done.mapping).toEqual({ 'Column 1': 'name', 'Column 2': 'email' });
    expect(codesOf(done)).toContain('no_header');
    expect(leads.map(({ name }) => name)).toEqual(['Ada Example', 'Bob Example']);
  });

  it.each([
    ['12c-title-row.csv', 'rows_above_header'],
    ['12d-footer.csv', 'footer_skipped'],
  ])('%s has one lead, and the rest is told', async (name, code) => {
    const { done, leads } = await importCase(name);
    expect(leads).toMatchObject([{ email: 'ada@example.com' }]);
    expect(done.counts).toMatchObject({ created: 1, failed: 0 });
    expect(codesOf(done)).toEqual([code]);
  });

  it('32 has two faults, which are told in their order', async () => {
    const { done, leads } = await importCase('32-two-faults.csv');
    expect(leads.map(({ name }) => name)).toEqual(['a', 'c']);
    const rows = (await errorsOf(client, done.id)).map(({ row }) => row);
    expect([...new Set(rows)]).toEqual([3, 5]);
  });

  it('50 is cut by the semicolon', async () => {
    const { leads } = await importCase('50-comma-in-semicolon-header.csv');
    expect(leads.map(({ email }) => email)).toEqual(['ada@example.com', 'max@example.com']);
    expect(['Ada Example', 'Example, Ada']).toContain(leads[0]?.name);
  });
});
