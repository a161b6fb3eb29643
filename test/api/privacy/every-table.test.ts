/** A person who is in every table that can have one is in none after an erasure. A new table is searched without being named. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetErased } from '../../../src/imports/erasure/forget-erased.ts';
import { foldLeadCounters } from '../../../src/leads/counter-queries.ts';
import { toUuid } from '../../../src/values/id.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, tracesOfAll } from '../../support/erasure.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { makeHook, sendIn } from '../../support/hooks.ts';
import { csv, importFile, ndjson, send as sendFile } from '../../support/imports.ts';
import { leads, make, users } from '../../support/resources.ts';
import { insertAttempt, insertDelivery, webhooks } from '../../support/webhooks.ts';
import { row, workbook } from '../../support/workbooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
});

afterAll(() => app.close());

const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });

async function settle(): Promise<void> {
  await foldLeadCounters(app.production.db);
  while (await forgetErased(app.production.db, 0));
}

const person = () => ({ name: 'Bob', email: uniqueEmail() });

interface Person {
  mark: string;
  fields: { name: string; email: string; phone: string };
}

/** As a lead with a past, a contact, and one that was merged. */
async function addRecords({ mark, fields }: Person): Promise<string> {
  const texts = {
    company: `Company ${mark}`,
    external_id: `external-${mark}`,
    source_detail: `Fair ${mark}`,
  };
  const more = { tags: [`tag-${mark}`], metadata: { [mark]: `value ${mark}`, long: `${mark} `.repeat(50) } };
  const { body } = await keyed()
    .post('/leads', { ...fields, email: `first-${fields.email}`, ...texts, ...more })
    .expect(201);
  const { id } = body.data;
  await keyed().patch(`/leads/${id}`, { email: fields.email }).expect(200);
  const other = await make(client, leads, {
    ...fields,
    email: `other-${fields.email}`,
    external_id: `other-${mark}`,
  });
  await keyed()
    .post('/notes', { lead_id: other.id, text: `${mark} `.repeat(200) })
    .expect(201);
  await keyed().post(`/leads/${id}/merge`, { lead_id: other.id }).expect(200);
  const { body: converted } = await keyed().post(`/leads/${id}/convert`).expect(201);
  expect(converted.data.contact.email).toBe(fields.email);
  await keyed()
    .patch(`/leads/${id}`, { status: 'lost', lost_reason: `Reason ${mark}` })
    .expect(200);
  const { body: lost } = await client.get(`/leads/${id}`).expect(200);
  await keyed()
    .patch(`/sales-cycles/${lost.data.sales_cycle.id}`, { company: `Other ${mark}`, tags: [mark] })
    .expect(200);
  await keyed()
    .patch(`/leads/${id}`, { next_step: `Call ${mark}` })
    .expect(200);
  await keyed()
    .post('/leads/batch/update', {
      items: [{ id, patch: { phone: fields.phone } }],
    })
    .expect(200);
  return id;
}

/** How URLs, forms, HTML and JSON write an address. */
const spellingsOf = (email: string) => [
  encodeURIComponent(email),
  encodeURIComponent(email).toLowerCase(),
  encodeURIComponent(encodeURIComponent(email)),
  email.replace('@', '&#64;'),
  email.replace('@', '&#x40;'),
  email.replace('@', '&commat;'),
  JSON.stringify(email).replace('@', String.raw`\u0040`),
  JSON.stringify(JSON.stringify(email)).replace('@', String.raw`\\u0040`),
];

/** The same within the texts that forms and files have. */
const textsWith = (email: string) =>
  spellingsOf(email).flatMap((spelled) => [
    `https://example.com/?utm_source=news&email=${spelled}&page=2`,
    `name=Ada+L.&to=%20${spelled.replaceAll('+', '%2B')}+and+others`,
    `Asked:\n${spelled}`,
  ]);

/** In the data that hooks received: with every outcome, and as a person with another address wrote it. */
async function addDeliveries({ mark, fields }: Person): Promise<void> {
  // The default mapping would copy these mentions into notes about others, which are free text.
  const mapping = { name: '/name', email: '/email', note: '/note' };
  const any = await makeHook(client, { mapping });
  for (const text of textsWith(fields.email)) await sendIn(app, any, { ...person(), page: text, [text]: 1 });
  await app.anonymous
    .post(`/hooks/${any.token}`)
    .set('Content-Type', 'application/x-www-form-urlencoded')
    .send(`name=Bob&email=${encodeURIComponent(uniqueEmail())}&via=${encodeURIComponent(fields.email)}`)
    .expect(202);
  for (const on_duplicate of ['merge', 'ignore', 'reject']) {
    const hook = await makeHook(client, { on_duplicate, mapping });
    await sendIn(app, hook, { ...fields, note: `${on_duplicate} ${mark}` });
    await sendIn(app, hook, { ...fields, name: '', note: mark });
    await sendIn(app, hook, { name: 'Bob', email: uniqueEmail(), about: `${mark} <${fields.email}>` });
  }
}

/** In the Idempotency-Keys of requests about others, and in what jobs write about others. */
async function addMentions({ fields: { email } }: Person): Promise<void> {
  const { id, email: other } = await make(client, leads);
  const headers = { 'Content-Type': 'text/csv' };
  for (const spelled of spellingsOf(email)) {
    const at = (what: string) => client.with({ 'Idempotency-Key': `${what}-${spelled}-1` });
    await at('note').post('/notes', { lead_id: id, text: 'Called' }).expect(201);
    await at('import')
      .post('/imports?resource=leads&start=false')
      .set(headers)
      .send(csv('name,email', `Bob,${uniqueEmail()}`))
      .expect(202);
    const update = { metadata: { page: `https://example.com/?email=${spelled}` } };
    const job = { resource: 'leads', filter: { email: other }, expected_total: 1, action: { update } };
    await client.post('/bulk-jobs', job).expect(202);
  }
}

/** In files: a draft, a dry run, one with rejected rows, and one whose options name them. */
async function addImports({ mark, fields: { name, email } }: Person): Promise<void> {
  const rows = csv(
    'name,email,status',
    `${name},${email},new`,
    `${mark},${email},`,
    `Bob,${uniqueEmail()},new`,
  );
  await sendFile(client, rows, 'start=false');
  await importFile(app, client, rows, 'dry_run=true');
  const rejected = csv('name,email', `,${email}`, `Bob,${uniqueEmail()}`);
  await importFile(app, client, rejected, 'on_duplicate=reject');
  const values = { source: { [`Asked by ${email}`]: 'referral' } };
  await sendFile(client, csv('name,email', `Bob,${uniqueEmail()}`), 'start=false', { values });
  const cells = row(1, 'name', 'email') + row(2, 'Bob', uniqueEmail());
  const { sheet } = await sendFile(client, workbook({ sheets: { [email]: cells } }), 'start=false');
  expect(sheet).toBe(email);
  const pages = textsWith(email).map((text) => ({ ...person(), metadata: { page: text } }));
  await sendFile(client, ndjson(...pages), 'start=false');
  for (const text of textsWith(email)) {
    const { id, columns } = await sendFile(client, ndjson({ ...person(), [text]: 'x' }), 'start=false');
    await client.patch(`/imports/${id}`, { mapping: { [columns.at(-1) ?? '']: null } }).expect(200);
  }
}

describe('a person in every table', () => {
  it('is in none after an erasure', async () => {
    const { mark, fields: named } = someone();
    const fields = { ...named, email: `${mark}+ads@example.com` };
    const ada = { mark, fields };
    const { knex } = app.production;
    const { id: webhook } = await make(client, webhooks, { status: 'paused' });
    const id = await addRecords(ada);
    await addDeliveries(ada);
    await addImports(ada);
    await addMentions(ada);
    const job = { resource: 'leads', filter: { email: fields.email }, expected_total: 1 };
    const action = { update: { source_detail: `asked by ${fields.email}` } };
    await keyed()
      .post('/bulk-jobs', { ...job, action })
      .expect(202);
    const delivery = await insertDelivery(knex, webhook, { resource_id: toUuid('lead', id) });
    await insertAttempt(knex, delivery, { response_body: `Hello ${mark}` });

    await settle();
    const wanted = [fields.email, mark, fields.phone, fields.name];
    const before = new Set((await tracesOfAll(app, wanted)).map((column) => column.split('.')[0]));
    expect([...before].toSorted()).toEqual([
      'contact_emails',
      'contacts',
      'events',
      'idempotency_keys',
      'import_chunks',
      'inbound_deliveries',
      'jobs',
      'lead_counters',
      'lead_counters_of_all',
      'lead_emails',
      'leads',
      'merges',
      'notes',
      'sales_cycles',
      'webhook_attempts',
    ]);

    await client.post('/erasures', { email: fields.email }).expect(201);
    await settle();
    expect(await tracesOfAll(app, wanted)).toEqual([]);
  });
});

describe('a user in every table', () => {
  it('is in none after the deletion', async () => {
    const { mark, fields } = someone();
    const { name, email } = fields;
    const more = { external_id: `hr-${mark}`, metadata: { team: mark } };
    const { body } = await keyed()
      .post('/users', { name, email, ...more })
      .expect(201);
    const { id } = body.data;
    await keyed()
      .patch(`/users/${id}`, { name: `Old ${mark}`, email: `old-${email}` })
      .expect(200);
    const as = client.with({ 'Acting-User': id, 'Idempotency-Key': randomUUID() });
    const lead = await make(client, leads);
    await as.post('/notes', { lead_id: lead.id, text: 'By a user' }).expect(201);
    await importFile(app, client, csv('name,email', `Ada,${uniqueEmail()}`));
    const values = { assigned_user_email: { Ada: `old-${email}` } };
    await sendFile(client, csv('name,email', `Ada,${uniqueEmail()}`), 'start=false', { values });
    const colleague = await make(client, users, { name: 'Grace Hopper' });

    const wanted = [email, `old-${email}`, mark, name];
    const before = new Set((await tracesOfAll(app, wanted)).map((column) => column.split('.')[0]));
    expect([...before]).toEqual(expect.arrayContaining(['events', 'idempotency_keys', 'jobs', 'users']));
    await client.delete(`/users/${id}`).expect(204);
    expect(await tracesOfAll(app, wanted)).toEqual([]);
    await client.get(`/users/${colleague.id}`).expect(200);
  });
});
