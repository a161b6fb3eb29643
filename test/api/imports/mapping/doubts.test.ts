/** What an import waits for: a person who looks at what its columns and cells leave open. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import type { TestClient } from '../../../support/client.ts';
import { csv, errorsOf, importFile, send } from '../../../support/imports.ts';
import { runJobs } from '../../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => app.production.knex.raw('truncate leads cascade'));

/** Rows of the file, with a name and an email before the given cells. */
const rows = (...cells: string[]) => cells.map((cell, index) => `Ada;ada${index}@example.com;${cell}`);

const file = (column: string, ...cells: string[]) => csv(`Name;Email;${column}`, ...rows(...cells));

const many = (count: number, cell: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => cell(index));

async function leads() {
  const { body } = await client.get('/leads?sort=created_at&per_page=100').expect(200);
  return body.data;
}

describe('an import stays a draft', () => {
  it.each<[string, string, string, string | null, RegExp]>([
    ['without column names', csv('Ada Example;ada@example.com'), 'no_header', null, /column names/],
    ['without a name', csv('Email;Phone', 'ada@example.com;'), 'no_name', null, /Map one to name/],
    ['without an email', csv('Name;Phone', 'Ada Example;'), 'no_email', null, /Map one to email/],
    [
      'with a column that could be a person or a company',
      csv('Customer;Email', 'engines 3000;ada@example.com'),
      'ambiguous_column',
      'Customer',
      /could be something else than the name/,
    ],
    [
      "with another system's statuses",
      file('Status', ...many(12, (index) => (index % 2 ? 'Working' : 'Nurturing'))),
      'unknown_status',
      'Status',
      /Nurturing, Working.*values/,
    ],
    [
      'with amounts that could be thousands',
      file('Amount;Currency', '1.250;EUR', '2.500;EUR'),
      'ambiguous_amounts',
      'Amount',
      /1\.250.*locale/,
    ],
    [
      'with dates in any order',
      file('Close date', '1/2/2027', '03/04/2027'),
      'ambiguous_dates',
      'Close date',
      /1\/2\/2027.*locale/,
    ],
    [
      'with amounts without a currency',
      file('Amount', '1250.00'),
      'no_currency',
      'Amount',
      /no currency.*defaults/,
    ],
    [
      'if more than a tenth of the rows would fail',
      csv('Name;Email', ...many(20, (index) => `Ada;${index < 3 ? 'nobody' : `ada${index}@example.com`}`)),
      'failing_rows',
      null,
      /3 of the first 20 rows would fail.*email/,
    ],
  ])('%s', async (_case, text, code, column, message) => {
    const draft = await send(client, text);
    expect(draft).toMatchObject({
      status: 'draft',
      doubts: [{ code, column, row: null, message: expect.stringMatching(message) }],
    });
    await runJobs(app.production);
    expect(await leads()).toEqual([]);
    expect(await send(client, text, 'start=true')).toMatchObject({ status: 'queued', doubts: [{ code }] });
    await runJobs(app.production);
  });
});

describe('an import starts', () => {
  it.each<[string, string, object | undefined]>([
    [
      'if the client maps the column',
      csv('Customer;Email', 'engines 3000;ada@example.com'),
      { mapping: { Customer: 'name' } },
    ],
    [
      'if the client leaves the column out',
      file('Status', ...many(12, (index) => `S${index % 2}`)),
      { mapping: { Status: null } },
    ],
    ['with a locale for amounts', file('Amount;Currency', '1.250;EUR'), { locale: 'de' }],
    ['with a locale for dates', file('Close date', '1/2/2027'), { locale: 'en-GB' }],
    ['with a default currency', file('Amount', '1250.00'), { defaults: { 'value.currency': 'EUR' } }],
    ['if the currency stands beside each amount', file('Amount', '€ 1250.00'), undefined],
    ['if no amount is filled', file('Amount', ''), undefined],
    ['with a default name', csv('Email', 'ada@example.com'), { defaults: { name: 'Unknown' } }],
    ['with a few unknown statuses', file('Status', 'Working', 'New', 'Nurturing'), undefined],
    [
      'with sources and phones that are read with a warning',
      file('Source;Phone', ...many(4, () => 'Facebook;+49 30 123456, +49 30 123457')),
      undefined,
    ],
    ['with many rows that say the same', file('Status', ...many(12, () => 'CREATED')), undefined],
    ['with one or two wrong rows', csv('Name;Email', 'Ada;nobody', 'Bob;bob@example.com'), undefined],
  ])('%s', async (_case, text, changes) => {
    expect(await send(client, text, '', changes)).toMatchObject({ status: 'queued', doubts: [] });
    await runJobs(app.production);
  });

  it('if it changes existing leads only', async () => {
    const text = csv('Email;Company', 'ada@example.com;Engines');
    expect(await send(client, text, 'on_duplicate=update')).toMatchObject({ status: 'queued', doubts: [] });
    await runJobs(app.production);
  });

  it('with statuses that values translate', async () => {
    const text = file(
      'Lead status',
      ...many(12, (index) => (index % 2 ? ' WORKING ' : 'Open - Not Contacted')),
    );
    const values = { status: { Working: 'contacted', 'open - not contacted': 'new' } };
    const { id, status, doubts } = await send(client, text, '', { values });
    expect({ status, doubts }).toEqual({ status: 'queued', doubts: [] });
    await runJobs(app.production);
    const statuses = (await leads()).map(({ status }: { status: string }) => status).sort();
    expect(statuses).toEqual([...many(6, () => 'contacted'), ...many(6, () => 'new')]);
    expect(await errorsOf(client, id)).toEqual([]);
  });
});

describe("the column's other rows decide", () => {
  it('what an amount means, in every chunk of the file', async () => {
    const amounts = many(600, (index) => (index === 3 ? '1.250,50;EUR' : '1.250;EUR'));
    const { counts } = await importFile(app, client, file('Amount;Currency', ...amounts));
    expect(counts).toMatchObject({ created: 600, warned: 0 });
    const { body } = await client.get('/leads?email=ada599@example.com').expect(200);
    expect(body.data).toMatchObject([{ value: { amount: '1250.00', currency: 'EUR' } }]);
  });

  it.each([
    ['1/31/2027', '2027-01-02'],
    ['31/1/2027', '2027-02-01'],
  ])('what 1/2/2027 means beside %s', async (other, meant) => {
    const dates = many(600, (index) => (index === 3 ? other : '1/2/2027'));
    const { counts } = await importFile(app, client, file('Close date', ...dates));
    expect(counts).toMatchObject({ created: 600, warned: 0 });
    const { body } = await client.get('/leads?email=ada599@example.com').expect(200);
    expect(body.data).toMatchObject([{ expected_close_on: meant }]);
  });

  it('nothing if they contradict each other', async () => {
    const text = file('Close date', '1/31/2027', '31/1/2027', '1/2/2027');
    expect((await send(client, text)).doubts).toMatchObject([{ code: 'ambiguous_dates' }]);
    await importFile(app, client, text, 'start=true');
    expect((await leads()).map((lead: { expected_close_on: string }) => lead.expected_close_on)).toEqual([
      '2027-01-31',
      '2027-01-31',
      null,
    ]);
  });
});

describe('duplicates within a file', () => {
  it.each(['', '&dry_run=true'])('are found by trimmed ids and by addresses in ASCII%s', async (dryRun) => {
    const text = csv(
      'Name;Email;External ID',
      'Ada;ada@münchen.example;4711',
      'Ada;ADA@xn--mnchen-3ya.example;4712',
      'Bob;bob@example.com; 4711',
    );
    const { id, counts } = await importFile(app, client, text, `start=true${dryRun}`);
    expect(counts).toMatchObject({ created: 1, failed: 2 });
    expect(await errorsOf(client, id)).toMatchObject([
      { row: 3, column: 'Email', code: 'duplicate_email' },
      { row: 4, column: 'External ID', code: 'duplicate_external_id' },
    ]);
  });
});
