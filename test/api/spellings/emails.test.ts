/** Email addresses with international domains: stored and compared in their ASCII form. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { makeHook, sendIn } from '../../support/hooks.ts';
import { csv, importFile, readImport, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(async () => {
  await app.production.knex('leads').delete();
  await app.production.knex('contacts').delete();
  await app.production.knex('users').delete();
});

afterAll(() => app.close());

const UNICODE = 'Ada@münchen.de';
const ASCII = 'Ada@xn--mnchen-3ya.de';

describe.each(['leads', 'contacts', 'users'])('an email of %s', (list) => {
  it('with an international domain is one person with its ASCII form', async () => {
    const { body } = await client.post(`/${list}`, { name: 'Ada', email: UNICODE }).expect(201);
    expect(body.data.email).toBe(ASCII);
    const again = await client.post(`/${list}`, { name: 'Ada', email: ASCII.toLowerCase() }).expect(422);
    expect(again.body).toMatchObject({ code: 'duplicate_email', existing_id: body.data.id });
    const other = await client.post(`/${list}`, { name: 'Bob', email: 'bob@example.com' }).expect(201);
    const taken = await client
      .patch(`/${list}/${other.body.data.id}`, { email: 'ada@MÜNCHEN.de' })
      .expect(422);
    expect(taken.body.code).toBe('duplicate_email');
    for (const email of [UNICODE, ASCII, 'ADA@München.DE']) {
      const { body: found } = await client.get(`/${list}?email=${encodeURIComponent(email)}`).expect(200);
      expect(found.data.map(({ id }: { id: string }) => id)).toEqual([body.data.id]);
    }
  });

  it.each([
    'ada@example',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@exa mple.com',
    'jörg@example.com',
    'ada@münchen',
    'ada@ü..de',
    'ada@example.com; bob@example.com',
    'Ada <ada@example.com>',
    '@example.com',
    'ada',
  ])('%j is a 422', async (email) => {
    const { body } = await client.post(`/${list}`, { name: 'Ada', email }).expect(422);
    expect(body.errors).toEqual({ email: ['email must be an email address.'] });
  });

  it.each(["o'brien@example.com", 'ada+tag@example.com', 'ada..15@example.com', 'ada@sub.example.co.uk'])(
    '%j is stored as it is',
    async (email) => {
      const { body } = await client.post(`/${list}`, { name: 'Ada', email }).expect(201);
      expect(body.data.email).toBe(email);
    },
  );
});

describe.each(['leads', 'contacts'])('batches of %s', (list) => {
  it('upsert and read by either form of a domain', async () => {
    const first = await client.post(`/${list}/batch/upsert`, {
      match: 'email',
      items: [
        { name: 'Ada', email: UNICODE },
        { email: ASCII, company: 'Engines' },
      ],
    });
    expect(first.body.data?.map(({ status }: { status: string }) => status)).toEqual(['created', 'updated']);
    const read = await client.post(`/${list}/batch/read`, { emails: ['ada@MÜNCHEN.de', 'nobody'] });
    expect(read.body.data.map(({ status }: { status: string }) => status)).toEqual(['found', 'not_found']);
  });
});

it('converting a lead finds the contact by either form', async () => {
  const contact = await client.post('/contacts', { name: 'Ada', email: UNICODE }).expect(201);
  const lead = await client.post('/leads', { name: 'Ada', email: ASCII }).expect(201);
  const { body } = await client.post(`/leads/${lead.body.data.id}/convert`, {}).expect(201);
  expect(body.data).toMatchObject({ contact_created: false, contact: { id: contact.body.data.id } });
});

it('a delivery that names a person in either form is erased with the person', async () => {
  const hook = await makeHook(client, { on_duplicate: 'reject' });
  const lead = await client.post('/leads', { name: 'Ada', email: ASCII }).expect(201);
  const { delivery_id } = await sendIn(app, hook, { note: `Ask ${UNICODE}, please` });
  const path = `${hook.path}/deliveries/${delivery_id}`;
  expect((await client.get(path).expect(200)).body.data.payload).toEqual({ note: `Ask ${UNICODE}, please` });
  await client.delete(`/leads/${lead.body.data.id}`).expect(204);
  expect((await client.get(path).expect(200)).body.data.payload).toBeNull();
});

it('an import finds a lead by either form, and does not bring an erased one back', async () => {
  const lead = await client.post('/leads', { name: 'Ada', email: ASCII }).expect(201);
  const file = csv('name,email,company', `Ada,${UNICODE},Engines`);
  const merged = await importFile(app, client, file, 'on_duplicate=merge');
  expect(merged.counts).toMatchObject({ updated: 1, failed: 0 });
  const draft = await send(client, file, 'start=false');
  await client.delete(`/leads/${lead.body.data.id}`).expect(204);
  await client.post(`/imports/${draft.id}/start`, {}).expect(202);
  await runJobs(app.production);
  const { counts } = await readImport(client, draft.id);
  expect(counts).toMatchObject({ created: 0, failed: 1 });
});
