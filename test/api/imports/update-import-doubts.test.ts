/** What PATCH does to the doubts and the unused columns of an import, and who may send it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { changeImport, csv, errorsOf, type Import, readImport, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const many = (count: number, line: (index: number) => string) =>
  csv(...Array.from({ length: count }, (_, index) => line(index)));

const draftOf = (file: string, query = '') => send(client, file, `start=false&${query}`);

const change = (id: string, changes: object) => changeImport(client, id, changes);

const found = ({ doubts }: Import) => doubts.map(({ code, column }) => [code, column]);
const unusedIn = ({ unused_columns: unused }: Import) => unused.map(({ column }) => column);

describe('a doubt', () => {
  it('about a column goes when the column is named, and others stay', async () => {
    const draft = await draftOf('Customer;Email;Close date\nengines 3000;ada@example.com;1/2/2027\n');
    const [customer, dates] = [
      ['ambiguous_column', 'Customer'],
      ['ambiguous_dates', 'Close date'],
    ];
    expect(found(draft)).toEqual([customer, dates]);
    expect(found(await change(draft.id, { defaults: { source: 'manual' } }))).toEqual([customer, dates]);
    expect(found(await change(draft.id, { mapping: { Customer: 'name' } }))).toEqual([dates]);
    expect(found(await change(draft.id, { locale: 'en-GB' }))).toEqual([]);
    expect(found(await change(draft.id, { locale: null }))).toEqual([dates]);
  });

  it('about statuses goes when values translate them', async () => {
    const draft = await draftOf(
      `name,email,status\n${many(12, (index) => `Ada,${uniqueEmail()},${index % 2 ? 'Working' : 'Nurturing'}`)}`,
    );
    expect(found(draft)).toEqual([['unknown_status', 'status']]);
    const one = await change(draft.id, { values: { status: { Working: 'contacted' } } });
    const both = await change(draft.id, { values: { status: { nurturing: '' } } });
    expect([found(one), found(both)]).toEqual([[], []]);
    expect(found(await change(draft.id, { values: { status: null } }))).toEqual(found(draft));
  });

  it('about rows that would fail comes and goes with the mapping', async () => {
    const draft = await draftOf(`Name;Email;Mail\n${many(30, () => `Ada;nobody;${uniqueEmail()}`)}`);
    expect(found(draft)).toEqual([]);
    const wrong = await change(draft.id, { mapping: { Mail: null } });
    expect(found(wrong)).toEqual([['failing_rows', null]]);
    expect(found(await change(draft.id, { mapping: { Mail: 'email', Email: null } }))).toEqual([]);
    expect(found(await change(draft.id, { mapping: { Mail: null } }))).toContainEqual(['no_email', null]);
  });

  it('about amounts comes with a mapping, and goes with a default', async () => {
    const draft = await draftOf(`name,email,Figure,Currency\nAda,${uniqueEmail()},1250.75,EUR\n`);
    expect(found(draft)).toEqual([]);
    const amounts = await change(draft.id, { mapping: { Figure: 'value.amount' } });
    expect(found(amounts)).toEqual([['no_currency', 'Figure']]);
    expect(amounts.unused_columns).toEqual([
      {
        column: 'Currency',
        hint: 'To give the amounts their currency, map it to value.currency.',
      },
    ]);
    expect(found(await change(draft.id, { defaults: { 'value.currency': 'EUR' } }))).toEqual([]);
  });

  it('about a file without column names goes when all that is mapped is decided', async () => {
    const draft = await draftOf('Ada Example,ada@example.com\n');
    expect(found(draft)).toEqual([['no_header', null]]);
    const one = await change(draft.id, { mapping: { 'Column 1': 'name' } });
    const both = await change(draft.id, { mapping: { 'Column 2': 'email' } });
    expect([found(one), found(both)]).toEqual([[['no_header', null]], []]);
    expect(both.warnings).toEqual(draft.warnings);
  });

  it('about a footer stays, and its rows are no sample of the others', async () => {
    const rows = many(30, () => `Ada;${uniqueEmail()};1,50`);
    const draft = await draftOf(`Name;Email;Amount EUR\n${rows}\nTotal;;45,00\n`);
    expect(found(draft)).toEqual([['footer', null]]);
    const changed = await change(draft.id, { locale: 'de', mapping: { Name: 'name' } });
    expect(changed.doubts).toEqual(draft.doubts);
    await client.post(`/imports/${draft.id}/start`, { accept_doubts: ['footer'] }).expect(202);
    await runJobs(app.production);
    expect(await readImport(client, draft.id)).toMatchObject({
      doubts: [],
      warnings: [{ code: 'footer_skipped' }],
      counts: { created: 30, failed: 0 },
    });
  });

  it('is found by the first rows only, and without those that cannot be read', async () => {
    const wrong = many(30, () => 'Ada;nobody');
    const good = many(1_000, () => `Ada;${uniqueEmail()}`);
    const late = await draftOf(`Name;Email\n${good}${wrong}`);
    expect(found(await change(late.id, { locale: 'de' }))).toEqual([]);
    const torn = await draftOf(`Name;Email\nAda;a;b;c\n${many(30, () => `Ada;${uniqueEmail()}`)}`);
    expect(found(await change(torn.id, { locale: 'de' }))).toEqual(found(torn));
  });
});

describe('a column', () => {
  it('that the service has chosen gives way to the one that the client names', async () => {
    const draft = await draftOf('Name,Email,Status,Lead stage\nAda,ada@example.com,new,won\n');
    expect(draft.mapping).toMatchObject({ Status: 'status', 'Lead stage': null });
    const changed = await change(draft.id, { mapping: { 'Lead stage': 'status' } });
    expect(changed.mapping).toMatchObject({ Status: null, 'Lead stage': 'status' });
    expect(changed.unused_columns).toEqual([
      { column: 'Status', hint: expect.stringMatching(/Lead stage gives the status already/) },
    ]);
    const both = await change(draft.id, { mapping: { Status: 'status' } });
    expect(both.mapping).toMatchObject({ Status: 'status', 'Lead stage': 'status' });
  });

  it('shares fields such as tags with others', async () => {
    const draft = await draftOf('Name,Email,Tags,Plan\nAda,ada@example.com,a,gold\n');
    expect(unusedIn(draft)).toEqual(['Plan']);
    const { mapping } = await change(draft.id, { mapping: { Plan: 'tags' } });
    expect(mapping).toMatchObject({ Tags: 'tags', Plan: 'tags' });
  });

  it('may stand among thousands', async () => {
    const extra = Array.from({ length: 3_000 }, (_, index) => `Property ${index}`);
    const cells = ['Ada', ...extra.map(() => 'x'), uniqueEmail()];
    const draft = await draftOf(csv(['Name', ...extra, 'Email'].join(';'), cells.join(';')));
    const changed = await change(draft.id, { mapping: { 'Property 7': 'metadata.p7' } });
    expect(changed.unused_columns).toHaveLength(2_999);
    expect(Object.keys(changed.mapping)).toEqual(draft.columns);
  });
});

it('a person who was erased is in no sample', async () => {
  const email = uniqueEmail();
  const draft = await draftOf(`Name;Email\nAda;${email}\nBob;${uniqueEmail()}\n`);
  const admin = await app.client(['admin']);
  await admin.post('/erasures', { email }).expect(201);
  expect(await change(draft.id, { locale: 'de' })).toMatchObject({ doubts: [], locale: 'de' });
});

describe('the scopes', () => {
  it('are those of the import', async () => {
    const { id } = await draftOf('name,email\nAda,ada@example.com\n');
    for (const scopes of [['read'], ['contacts:write']]) {
      const other = await app.client(scopes);
      const { body } = await other.patch(`/imports/${id}`, { locale: 'de' }).expect(403);
      expect(body).toMatchObject({ code: 'insufficient_scope', required_scope: 'leads:write' });
    }
    const writer = await app.client(['leads:write']);
    expect((await writer.patch(`/imports/${id}`, { locale: 'de' }).expect(200)).body.data.locale).toBe('de');
    await client.patch('/imports/import_01m7w4n5e0fpd8q2tn6s3k9vcx', {}).expect(404);
  });

  it('are also those to create users and to import times of the past', async () => {
    const writer = await app.client(['leads:write']);
    const query = 'create_users=true';
    const { id } = await draftOf('name,email,assigned_user_email\nAda,ada@example.com,\n', query);
    const { body } = await writer.patch(`/imports/${id}`, { locale: 'de' }).expect(403);
    expect(body.required_scope).toBe('users:write');
    const past = await draftOf('name,email,When\nAda,ada@example.com,2020-01-31\n');
    const changes = { mapping: { When: 'created_at' } };
    expect((await writer.patch(`/imports/${past.id}`, changes).expect(403)).body.required_scope).toBe(
      'admin',
    );
    const admin = await app.client(['leads:write', 'admin']);
    await admin.patch(`/imports/${past.id}`, changes).expect(200);
    await admin.post(`/imports/${past.id}/start`).expect(202);
    await runJobs(app.production);
    expect(await errorsOf(client, past.id)).toEqual([]);
  });
});
