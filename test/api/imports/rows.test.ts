/** How rows become leads and contacts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { csv, errorsOf, type Import, importFile, ndjson } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const run = (file: string, query = '', changes?: object) => importFile(app, client, file, query, changes);

async function leadOf(email: string) {
  const { body } = await client.get(`/leads?email=${encodeURIComponent(email)}`).expect(200);
  expect(body.data).toHaveLength(1);
  return body.data[0];
}

const countsOf = ({ counts: { created, updated, unchanged, failed } }: Import) =>
  [created, updated, unchanged, failed].join(' ');

describe('a row', () => {
  it('becomes a lead with all of its fields, as with a single request', async () => {
    const email = uniqueEmail();
    const user = await createUser(client);
    const columns =
      'first name,last name,email,phone,status,source,source detail,company,tags,assigned_user_id,external_id,metadata,lost_reason,metadata.plan,value.amount,value.currency,expected_close_on';
    const cells = `Ada,Lovelace, ${email} ,+49 (151) 12.34-5678,Lost,REFERRAL,Trade show Berlin,"=1+1","vip; new,vip",${user},${email},"{""a"":""1""}",No money,gold,1250.5,EUR,2027-01-31`;
    const made = await run(csv(columns, cells));
    expect(countsOf(made)).toBe('1 0 0 0');
    expect(await leadOf(email)).toMatchObject({
      name: 'Ada Lovelace',
      phone: '+4915112345678',
      status: 'lost',
      source: 'referral',
      source_detail: 'Trade show Berlin',
      company: '=1+1',
      tags: ['vip', 'new'],
      assigned_user_id: user,
      external_id: email,
      metadata: { a: '1', plan: 'gold' },
      lost_reason: 'No money',
      value: { amount: '1250.50', currency: 'EUR' },
      expected_close_on: '2027-01-31',
      version: 1,
    });
    const { body } = await client.get(`/leads/${(await leadOf(email)).id}/events`).expect(200);
    const { data: me } = (await client.get('/auth/me')).body;
    expect(body.data).toMatchObject([{ type: 'lead.created', actor: { type: 'client', id: me.client_id } }]);
    expect(body.data[0].data.object).toEqual(await leadOf(email));
  });

  it('of JSON may contain numbers, lists and objects; null counts as absent', async () => {
    const email = uniqueEmail();
    const row = {
      name: 4711,
      email,
      external_id: 17,
      tags: ['a', 'b'],
      metadata: { x: 'y' },
      company: null,
      'metadata.n': true,
    };
    expect(countsOf(await run(ndjson(row)))).toBe('1 0 0 0');
    expect(await leadOf(email)).toMatchObject({
      name: '4711',
      external_id: '17',
      tags: ['a', 'b'],
      metadata: { x: 'y', n: 'true' },
      company: null,
    });
  });

  it('gets defaults for missing values', async () => {
    const [one, two] = [uniqueEmail(), uniqueEmail()];
    const file = csv('name,email,company,metadata.plan', `A,${one},,`, `B,${two},Own,own`);
    const defaults = { company: 'Default', 'metadata.plan': 'free', 'metadata.by': 'import', tags: 'a,b' };
    await run(file, '', { defaults });
    expect(await leadOf(one)).toMatchObject({
      company: 'Default',
      metadata: { plan: 'free', by: 'import' },
      tags: ['a', 'b'],
    });
    expect(await leadOf(two)).toMatchObject({
      company: 'Own',
      metadata: { plan: 'own', by: 'import' },
      tags: ['a', 'b'],
    });
  });

  it('gets the default currency only with an amount', async () => {
    const [none, own, default_] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    const file = csv(
      'name,email,value.amount,value.currency',
      `A,${none},,`,
      `B,${own},5,USD`,
      `C,${default_},7.5,`,
    );
    const defaults = { 'value.currency': 'EUR' };
    const made = await run(file, '', { defaults });
    expect(countsOf(made)).toBe('3 0 0 0');
    expect(await leadOf(none)).toMatchObject({ value: null });
    expect(await leadOf(own)).toMatchObject({ value: { amount: '5.00', currency: 'USD' } });
    expect(await leadOf(default_)).toMatchObject({ value: { amount: '7.50', currency: 'EUR' } });
    await run(csv('name,email', `B,${own}`), 'on_duplicate=update', { defaults });
    expect(await leadOf(own)).toMatchObject({ value: { amount: '5.00', currency: 'USD' } });
    const both = { defaults: { ...defaults, 'value.amount': '9' } };
    await run(csv('name,email', `A,${none}`), 'on_duplicate=update', both);
    expect(await leadOf(none)).toMatchObject({ value: { amount: '9.00', currency: 'EUR' } });
  });

  it.each(['leads', 'contacts'])('of %s loses spaces around its external_id', async (resource) => {
    const id = randomUUID();
    const row = (name: string, space: string) =>
      csv('name,email,external_id', `${name},${id}@example.com,${space}${id}${space}`);
    expect(countsOf(await run(row('Ada', ' '), `resource=${resource}`))).toBe('1 0 0 0');
    const query = `resource=${resource}&match=external_id&on_duplicate=update`;
    expect(countsOf(await run(row('Eve', '\u00a0'), query))).toBe('0 1 0 0');
    const { body } = await client.get(`/${resource}?external_id=${id}`).expect(200);
    expect(body.data).toMatchObject([{ name: 'Eve', external_id: id }]);
  });

  it('becomes a contact', async () => {
    const externalId = randomUUID();
    const made = await run(
      csv('name,job title,external_id', `Ada,Countess,${externalId}`),
      'resource=contacts',
    );
    expect(countsOf(made)).toBe('1 0 0 0');
    const { body } = await client.get(`/contacts?external_id=${externalId}`).expect(200);
    expect(body.data).toMatchObject([{ name: 'Ada', title: 'Countess', email: null }]);
  });

  it('loses the apostrophe that an export adds, and no other', async () => {
    const email = uniqueEmail();
    await run(csv('name,email,company,metadata.a,metadata.b', `'@Ada,${email},'Acme,"''=1","'\u0009x"`));
    expect(await leadOf(email)).toMatchObject({
      name: '@Ada',
      company: "'Acme",
      metadata: { a: "'=1", b: 'x' },
    });
  });
});

describe('a row for an existing lead', () => {
  const before = { name: 'Ada', phone: '+4915112345678', tags: ['old'], metadata: { a: '1' } };
  const rowOf = (email: string) =>
    csv(
      'name,email,phone,company,tags,metadata.a,metadata.b',
      `Eve,${email.toUpperCase()},+4915100000000,Acme,new,2,3`,
    );
  const after = { company: 'Acme', metadata: { a: '1', b: '3' }, tags: ['old', 'new'] };
  const updated = {
    name: 'Eve',
    phone: '+4915100000000',
    company: 'Acme',
    tags: ['new'],
    metadata: { a: '2', b: '3' },
  };

  it.each([
    ['reject', '0 0 0 1', before],
    ['ignore', '0 0 1 0', before],
    ['merge', '0 1 0 0', { ...before, ...after }],
    ['update', '0 1 0 0', updated],
  ])('with %s: %s', async (onDuplicate, counts, shown) => {
    const { email } = await createLead(client, before);
    const made = await run(rowOf(email), `on_duplicate=${onDuplicate}`);
    expect(countsOf(made)).toBe(counts);
    expect(await leadOf(email)).toMatchObject(shown);
    const tried = { reject: '0 0 0 1' }[onDuplicate] ?? '0 0 1 0';
    expect(countsOf(await run(rowOf(email), `on_duplicate=${onDuplicate}`))).toBe(tried);
  });

  it('can be matched by external id', async () => {
    const { email, external_id } = await createLead(client, { external_id: randomUUID(), company: 'Old' });
    const file = csv('external id,company', `${external_id},New`, 'unknown,New');
    const { id, counts } = await run(file, 'match=external_id&on_duplicate=update');
    expect(counts).toEqual({ created: 0, updated: 1, unchanged: 0, failed: 1, warned: 0 });
    expect(await leadOf(email)).toMatchObject({ company: 'New' });
    expect(await errorsOf(client, id)).toEqual([
      {
        row: 3,
        severity: 'error',
        column: null,
        field: 'name',
        code: 'validation_failed',
        message: 'name is required.',
      },
      {
        row: 3,
        severity: 'error',
        column: null,
        field: 'email',
        code: 'validation_failed',
        message: 'email is required.',
      },
    ]);
  });

  it('keeps fields whose cells are empty', async () => {
    const { email } = await createLead(client, { company: 'Acme', status: 'won', source: 'manual' });
    const { counts } = await run(csv('email,company,name', `${email},,Eve`), 'on_duplicate=update');
    expect(counts.updated).toBe(1);
    expect(await leadOf(email)).toMatchObject({
      company: 'Acme',
      name: 'Eve',
      status: 'won',
      source: 'manual',
    });
  });
});

describe('a file that is imported twice', () => {
  it.each(['reject', 'ignore', 'merge', 'update'])('creates no duplicates with %s', async (onDuplicate) => {
    const emails = Array.from({ length: 20 }, uniqueEmail);
    const file = csv('name,email', ...emails.map((email) => `Ada,${email}`));
    expect((await run(file, `on_duplicate=${onDuplicate}`)).counts.created).toBe(20);
    const { counts } = await run(file, `on_duplicate=${onDuplicate}`);
    expect(counts).toMatchObject({ created: 0, updated: 0 });
    for (const email of emails) expect(await leadOf(email)).toMatchObject({ version: 1 });
  });
});
