/** The files of test/cases/round-4: what spreadsheets, CRMs and programs write, and what a person means by it. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { errorsOf, type Import } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
});

// The files share their addresses.
beforeEach(() => app.production.knex.raw('truncate leads, contacts cascade'));

afterAll(() => app.close());

const types: Record<string, string> = { vcf: 'text/vcard', zip: 'application/zip', csv: 'text/csv' };

interface Imported {
  draft: Import;
  leads: Record<string, unknown>[];
}

async function importCase(name: string, changes: object = {}, resource = 'leads'): Promise<Imported> {
  const file = readFileSync(new URL(`../../cases/round-4/${name}`, import.meta.url));
  const type = types[name.split('.')[1] ?? ''] ?? 'application/octet-stream';
  const sent = client.post(`/imports?start=false&resource=${resource}`).set('Content-Type', type).send(file);
  const { id } = (await sent.expect(202)).body.data;
  const { body } = await client.patch(`/imports/${id}`, changes).expect(200);
  await client.post(`/imports/${id}/start`, {}).expect(202);
  await runJobs(app.production);
  const { body: list } = await client.get(`/${resource}?sort=created_at&per_page=100`).expect(200);
  return { draft: body.data, leads: list.data };
}

it.each<[string, object[], object?]>([
  [
    'a1-yen.csv',
    [{ value: { amount: '1250', currency: 'JPY' } }, { value: { amount: '12500', currency: 'JPY' } }],
  ],
  [
    'c1-excel-armour.csv',
    [
      { name: 'Ada X', email: 'a@example.com', company: '00 Engines', external_id: '00471', tags: ['vip'] },
      { name: 'Bob Y', external_id: '00472' },
    ],
  ],
  [
    'd3-two-currencies.csv',
    [{ value: { amount: '100.00', currency: 'USD' } }, { value: { amount: '200.00', currency: 'EUR' } }],
  ],
  [
    'd3b-two-statuses.csv',
    [
      { status: 'contacted', expected_close_on: '2027-01-31' },
      { status: 'won', expected_close_on: '2027-02-28' },
    ],
  ],
  [
    'h1b-entities.csv',
    [
      { name: "Conan O'Brien", company: 'Tom & Jerry GmbH' },
      { name: 'Müller', company: 'R&D' },
    ],
  ],
  ['k1-krayin.csv', [{ email: 'a@example.com', phone: '+4915112345678' }]],
  ['k2-espocrm.csv', [{ value: { amount: '1250.00', currency: 'EUR' } }]],
  ['l1-mailto-link.xlsx', [{ email: 'a@example.com' }, { email: 'b@example.com' }]],
  [
    'l2-links.csv',
    ['ada@example.com', 'bob@example.com', 'cy@example.com', 'di@example.com'].map((email) => ({ email })),
  ],
  ['m1-curly-apostrophe.csv', [{ email: "o'brien@example.com" }]],
  ['n1-mononym-full-name.csv', [{ name: 'Suharto' }, { name: 'Ada' }]],
  ['n3-suffix.csv', [{ name: 'Bob Example Jr.' }, { name: 'Bob Example Sr.' }]],
  ['n5-japanese.csv', [{ name: '山田 太郎' }, { name: '佐藤 花子' }]],
  ['n5b-chinese.csv', [{ name: '王 小明' }]],
  [
    'o1-opt-out.csv',
    [
      { metadata: { email_opt_out: 'TRUE', do_not_call: '1' } },
      { metadata: { email_opt_out: 'FALSE', do_not_call: '0' } },
    ],
  ],
  [
    'p1-plus-lost-de.csv',
    [{ phone: '+4915112345678' }, { phone: '+491511234567' }],
    { default_country: 'DE' },
  ],
  [
    'p2-country-column.csv',
    [{ phone: '+4930123456' }, { phone: '+442079460123' }, { phone: '+14155552671' }],
  ],
  ['p4-vanity.csv', [{ phone: '+18003569377' }]],
  [
    's1-close-two-rows.csv',
    [
      { name: 'Ada Lovelace', company: 'Engines Ltd' },
      { name: 'Grace Hopper', company: 'Fabrics Inc' },
    ],
  ],
  [
    't1-program-times.csv',
    ['2026-01-31T09:00:00.000Z', '2026-01-31T10:00:00.000Z', '2026-01-31T09:00:00.000Z'].map(
      (created_at, index) => ({ email: `n${index}@example.com`, created_at }),
    ),
    { mapping: { 'Created at': 'created_at' } },
  ],
  ['x5-empty-first-sheet.xlsx', [{ name: 'Ada X' }]],
  ['z1-csv.zip', [{ name: 'Ada X' }]],
  ['z2-xlsx.zip', [{ name: 'Ada X' }]],
])('%s is read as it is meant', async (name, wanted, changes) => {
  const { draft, leads } = await importCase(name, changes);
  // The order in which they were created says little: several rows are one transaction.
  const sorted = (rows: readonly object[]) => rows.toSorted((a, b) => mailOf(a).localeCompare(mailOf(b)));
  const mailOf = (row: object & { email?: string }) => row.email ?? '';
  const found = leads.length === 1 || wanted.some((row) => 'email' in row) ? sorted(leads) : leads;
  expect(found).toMatchObject(wanted);
  expect(await errorsOf(client, draft.id)).toEqual([]);
});

it.each([
  ['a3-lakh.csv', { amount: '125000.00', currency: 'INR' }],
  ['d1-swiss-amounts.csv', { amount: '10250.00', currency: 'CHF' }],
])('the amounts of %s are read, however unusual', async (name, value) => {
  const { draft, leads } = await importCase(name);
  expect(draft.doubts).toEqual([]);
  expect(leads).toContainEqual(expect.objectContaining({ email: 'n0@example.com', value }));
});

it('a mononym of a vCard is the whole name', async () => {
  const { leads } = await importCase('n1b-mononym.vcf', {}, 'contacts');
  expect(leads).toMatchObject([{ name: 'Suharto' }]);
});

it.each<[string, string, string, RegExp]>([
  ['d1b-serial-dates.csv', 'unreadable_column', 'expected_close_on', /Most cells .* can't be read/],
  ['s1b-name-contact.csv', 'ambiguous_column', 'Name', /could be something else than the company/],
  ['x1-xlsxwriter-formulas.xlsx', 'formulas_without_results', 'Name', /have no results.*Open the file/],
  ['x2-openpyxl-formula.xlsx', 'formulas_without_results', 'Email', /have no results.*Open the file/],
])('%s is a draft with the doubt %s about %s', async (name, code, column, message) => {
  const { draft } = await importCase(name);
  expect(draft.status).toBe('draft');
  expect(draft.doubts).toContainEqual(
    expect.objectContaining({ code, column, message: expect.stringMatching(message) }),
  );
});

it('a formula without a result is neither a name nor an amount', async () => {
  expect((await importCase('x1-xlsxwriter-formulas.xlsx')).leads).toEqual([]);
});

it('a note beside the table of a workbook is told, and the row is imported', async () => {
  const { draft, leads } = await importCase('x4-stray-note.xlsx');
  expect(leads).toHaveLength(2);
  expect(draft.warnings).toMatchObject([{ code: 'stray_cells', row: 3 }]);
});

it('cells that stand for something else are told by column', async () => {
  const { draft } = await importCase('h1b-entities.csv');
  expect(draft.warnings).toMatchObject([
    {
      code: 'cells_unwrapped',
      column: 'Name',
      message: expect.stringContaining("O&#039;Brien as Conan O'Brien"),
    },
    { code: 'cells_unwrapped', column: 'Company' },
  ]);
});
