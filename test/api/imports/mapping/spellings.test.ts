/** Spellings of column names that forms and other systems use. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import type { TestClient } from '../../../support/client.ts';
import { csv, importFile, send } from '../../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => app.production.knex.raw('truncate leads cascade'));

/** A name for each field, and a column that none is filled from. */
it.each<[string, string, string, string, string, string]>([
  ['Name (First)', 'Name (Last)', 'Email (Required)', 'Phone #', 'Company*', 'Company size'],
  ['firstName', 'lastName', 'emailAddress', 'phoneNumber', 'companyName', 'companyId'],
  ['first_name', 'last_name', 'email_1', 'phone_1', 'company_name', 'company_url'],
  [
    'Billing First Name',
    'Billing Last Name',
    'Email (Billing)',
    'Phone (Billing)',
    'Billing Company',
    'Billing City',
  ],
  [
    'Lead: First Name',
    'Lead: Last Name',
    'Lead: Email',
    'Lead: Mobile',
    'Company / Organisation',
    'Phone / Fax',
  ],
  [
    'Your first name',
    'Your surname',
    'What is your email?',
    'What is your phone number?',
    'Your company',
    'What is the size of your company?',
  ],
  ['VORNAME', 'NACHNAME', 'E-MAIL 1', 'Tel.-Nr.', 'Firma:', 'Branche'],
])(
  '%s, %s, %s, %s and %s are recognized, and %s is not used',
  async (first, last, email, phone, company, other) => {
    const header = [first, last, email, phone, company, other].map((name) => `"${name}"`).join();
    const file = csv(header, 'Ada,Example,ada@example.com,+4930123456,Engines,11-50');
    const { mapping, doubts } = await send(client, file, 'start=false');
    expect(mapping).toEqual({
      [first]: 'name.first',
      [last]: 'name.last',
      [email]: 'email',
      [phone]: 'phone',
      [company]: 'company',
      [other]: null,
    });
    expect(doubts).toEqual([]);
  },
);

it("a form's question that isn't a clear name is left to the client", async () => {
  const file = csv('Name,Email,"Which company do you work for?"', 'Ada Example,ada@example.com,Engines Ltd');
  const { mapping, unused_columns } = await send(client, file, 'start=false');
  expect(mapping).toMatchObject({ Name: 'name', Email: 'email', 'Which company do you work for?': null });
  expect(JSON.stringify(unused_columns)).toContain('map it to metadata.which_company');
});

it.each(['Amount (EUR)', 'Deal value [€]', 'Betrag in EUR', 'Montant €'])(
  'the currency in %s counts for cells without one',
  async (column) => {
    const file = csv(
      `Name;Email;${column}`,
      'Ada;ada@example.com;1.250,50',
      'Bob;bob@example.com;$ 99',
      'Eve;eve@example.com;',
    );
    expect(await importFile(app, client, file)).toMatchObject({
      doubts: [],
      counts: { created: 3, warned: 0 },
    });
    const { body } = await client.get('/leads?sort=name').expect(200);
    expect(body.data.map(({ value }: { value: object | null }) => value)).toEqual([
      { amount: '1250.50', currency: 'EUR' },
      { amount: '99.00', currency: 'USD' },
      null,
    ]);
  },
);
