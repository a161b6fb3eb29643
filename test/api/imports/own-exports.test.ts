/** An export that is imported again changes nothing, whatever the leads and contacts hold. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { exportRows, fetchExport } from '../../support/exports.ts';
import { errorsOf, importFile } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

// An export has everybody.
beforeEach(async () => {
  await app.production.knex('leads').delete();
  await app.production.knex('contacts').delete();
});

afterAll(() => app.close());

/** Texts that a spreadsheet, a list or a reader of people's spellings would take for something else. */
const hard = [
  ...[
    "O'Brien",
    "'quoted'",
    "'=1+1",
    '=1+1',
    '+49 151',
    '-5',
    '@ada',
    '"Ada" Example',
    'Example; Ada',
    'a|b',
  ],
  ...[
    'N/A',
    'null',
    '-',
    '  spaces  ',
    'two  spaces',
    'line\nbreak',
    'line\r\nbreak',
    '\ttab',
    '1.234',
    '007',
  ],
  ...[
    '1,250',
    '{"a": 1}',
    '["a"]',
    'TRUE',
    '2027-01-31',
    '12.5e3',
    'Müller 😀',
    '\u00a0Ada',
    'sep=;',
    '* starred',
  ],
];
const words = fc.oneof(
  fc.constantFrom(...hard),
  fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'aB\'"=+-@;,|\n é') }),
);
const text = words.filter((word) => /[^\p{C}\p{Z}]/u.test(word));
const tag = text.filter((word) => !word.includes(','));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const value = fc.oneof(
  fc.record({
    amount: fc.constantFrom('1.234', '1250.500', '0.005', '19', '999999999999999.999'),
    currency: fc.constantFrom('KWD', 'BHD'),
  }),
  fc.record({ amount: fc.constantFrom('1250', '7', '0'), currency: fc.constantFrom('JPY', 'KRW') }),
  fc.record({ amount: fc.constantFrom('1.25', '1250.5', '1000'), currency: fc.constantFrom('EUR', 'USD') }),
);

const email = fc
  .constantFrom("o'brien", '*star', 'Ada.Lovelace', '=x', 'a+b')
  .map((local) => `${local}@${randomUUID()}.example`);

const person = {
  name: text,
  email,
  other_emails: fc.array(email, { maxLength: 3 }),
  company: optional(text),
  phone: optional(fc.constantFrom('+4915112345678', '+15551234567', '+5215512345678', '+10000000')),
  tags: fc.uniqueArray(tag, { maxLength: 4, selector: (each) => each.toLowerCase() }),
  metadata: fc.dictionary(fc.constantFrom('plan', 'a.b', 'other_emails', 'x y'), text, { maxKeys: 3 }),
  external_id: optional(text.map((word) => `${randomUUID()} ${word}`)),
};
const lead = fc
  .record({
    ...person,
    value: optional(value),
    status: fc.constantFrom('new', 'contacted', 'won', 'lost'),
    source: fc.constantFrom('website', 'manual'),
    source_detail: optional(text),
    expected_close_on: optional(fc.constantFrom('2027-01-02', '2027-12-31')),
    lost_reason: optional(text),
  })
  .map(({ lost_reason, ...rest }) => (rest.status === 'lost' ? { ...rest, lost_reason } : rest));
const contact = fc.record({ ...person, title: optional(text) });

const types = ['text/csv', 'application/x-ndjson'];
/** Under a locale and a country that read nearly everything in another way. */
const foreign = { locale: 'de', default_country: 'US' };
const options = 'on_duplicate=update';

describe.each<[string, fc.Arbitrary<object>]>([
  ['leads', lead],
  ['contacts', contact],
])('an export of %s', (resource, arbitrary) => {
  it.each(types)('as %s that is imported again changes nothing', async (type) => {
    const property = fc.asyncProperty(
      fc.array(arbitrary, { minLength: 10, maxLength: 20 }),
      async (people) => {
        await app.production.knex(resource).delete();
        for (const fields of people) await client.post(`/${resource}`, fields).expect(201);
        const before = await exportRows(client, `/${resource}/export`);
        const file = await (await fetchExport(client, `/${resource}/export`, type)).text();
        const done = await importFile(app, client, file, `resource=${resource}&${options}`, foreign);
        expect([done.doubts, await errorsOf(client, done.id)]).toEqual([[], []]);
        expect(await exportRows(client, `/${resource}/export`)).toEqual(before);
        expect(done.counts).toMatchObject({ unchanged: people.length, failed: 0, warned: 0 });
      },
    );
    await fc.assert(property, { numRuns: 10, endOnFailure: true });
  });

  it('creates the same where there is nobody', async () => {
    const people = fc.sample(arbitrary, 30);
    for (const fields of people) await client.post(`/${resource}`, fields).expect(201);
    // Times, and the id, are others.
    const isOwn = ([field]: [string, unknown]) =>
      !['id', 'sales_cycle'].includes(field) && !field.endsWith('_at');
    const own = (row: object) => Object.fromEntries(Object.entries(row).filter(isOwn));
    const before = await exportRows<Record<string, unknown>>(client, `/${resource}/export`);
    const file = await (await fetchExport(client, `/${resource}/export`)).text();
    await app.production.knex(resource).delete();
    const done = await importFile(app, client, file, `resource=${resource}`, { locale: 'de' });
    expect(done.counts).toMatchObject({ created: people.length, warned: 0 });
    const after = await exportRows<Record<string, unknown>>(client, `/${resource}/export`);
    const byEmail = (rows: Record<string, unknown>[]) =>
      rows.map(own).sort((a, b) => String(a.email).localeCompare(String(b.email)));
    expect(byEmail(after)).toEqual(byEmail(before));
  });
});

it('of a lead whose owner has left changes nothing', async () => {
  const { body } = await client
    .post('/users', { name: 'Grace', email: `${randomUUID()}@example.com` })
    .expect(201);
  const user = body.data.id;
  await client.post('/leads', { name: 'Ada', email: 'ada@example.com', assigned_user_id: user }).expect(201);
  await client.patch(`/users/${user}`, { active: false }).expect(200);
  const before = await exportRows(client, '/leads/export');
  const file = await (await fetchExport(client, '/leads/export')).text();
  const done = await importFile(app, client, file, options, foreign);
  expect([done.counts, await errorsOf(client, done.id)]).toMatchObject([{ unchanged: 1 }, []]);
  expect(await exportRows(client, '/leads/export')).toEqual(before);
});

it('with a single lead full of other delimiters is read', async () => {
  const odd = 'a;b;c\n"d;e"\n;;;\n"\n;\n;';
  const fields = { name: odd, company: odd, source_detail: odd, metadata: { odd } };
  await client.post('/leads', { ...fields, email: 'ada@example.com' }).expect(201);
  const file = await (await fetchExport(client, '/leads/export')).text();
  const done = await importFile(app, client, file, options, foreign);
  expect([done.counts, await errorsOf(client, done.id)]).toMatchObject([{ unchanged: 1 }, []]);
});

describe('an export that somebody has edited', () => {
  async function edited(edit: (file: string) => string) {
    const { body } = await client
      .post('/leads', {
        name: 'Ada',
        email: `${randomUUID()}@example.com`,
        tags: ['a'],
        status: 'lost',
        lost_reason: 'Price',
        value: { amount: '1.234', currency: 'KWD' },
      })
      .expect(201);
    const file = await (await fetchExport(client, '/leads/export')).text();
    const done = await importFile(app, client, edit(file), options, foreign);
    const { body: after } = await client.get(`/leads/${body.data.id}`).expect(200);
    return { lead: after.data, errors: await errorsOf(client, done.id) };
  }

  it('is read as people write it, where they did', async () => {
    const { lead } = await edited((file) =>
      file.replace('"[""a""]"', '"b; c"').replace('1.234', '"1.250,5"'),
    );
    expect(lead).toMatchObject({ tags: ['b', 'c'], value: { amount: '1250.500', currency: 'KWD' } });
  });

  it('may have another status without the reason for the former one', async () => {
    const { lead, errors } = await edited((file) => file.replace(',lost,', ',contacted,'));
    expect(lead).toMatchObject({ status: 'contacted', lost_reason: null });
    expect(errors).toMatchObject([{ column: 'lost_reason', severity: 'warning' }]);
  });

  it('may have more columns', async () => {
    const { lead } = await edited((file) =>
      file.replace('\r\n', ',Job title\r\n').replace(/\r\n$/, ',CTO\r\n'),
    );
    expect(lead.metadata).toEqual({ title: 'CTO' });
  });
});
