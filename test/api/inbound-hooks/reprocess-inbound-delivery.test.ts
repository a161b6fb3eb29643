import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { formInput, type Hook, leadsOf, makeHook, sendIn } from '../../support/hooks.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const reprocess = (hook: Hook, deliveryId: string, as = client) =>
  as.post(`${hook.path}/deliveries/${deliveryId}/reprocess`);

/** A delivery in which the default mapping finds no email. */
async function rejected() {
  const hook = await makeHook(client);
  const email = uniqueEmail();
  const { delivery_id, status } = await sendIn(app, hook, { name: 'Ada', contact: email });
  expect(status).toBe('rejected');
  const fix = () => client.patch(hook.path, { mapping: { email: '/contact' } }).expect(200);
  return { hook, email, delivery_id, fix };
}

describe('POST /inbound-hooks/{id}/deliveries/{delivery_id}/reprocess', () => {
  it('creates the lead once the mapping is fixed', async () => {
    const { hook, email, delivery_id, fix } = await rejected();
    const before = await reprocess(hook, delivery_id).expect(200);
    expect(before.body.data).toMatchObject({ status: 'rejected', version: 1 });
    await fix();
    const { body, headers } = await reprocess(hook, delivery_id).expect(200);
    const [lead] = await leadsOf(client, email);
    expect(lead).toMatchObject({ name: 'Ada', source: 'website' });
    expect(body.data).toMatchObject({ id: delivery_id, status: 'created', lead_id: lead?.id, errors: null });
    expect(headers.etag).toBe(`"${body.data.version}"`);
  });

  it('creates one lead for ten concurrent requests', async () => {
    const { hook, email, delivery_id, fix } = await rejected();
    await fix();
    const answers = await Promise.all(Array.from({ length: 10 }, () => reprocess(hook, delivery_id)));
    const statuses = answers.map(({ body }) => body.data.status).toSorted();
    expect(statuses).toEqual(['created', ...Array.from({ length: 9 }, () => 'merged')]);
    expect(await leadsOf(client, email)).toHaveLength(1);
  });

  it('fills in fields that the mapping had left out', async () => {
    const hook = await makeHook(client);
    const form = formInput({ studio: 'Analytical Engines' });
    const { delivery_id } = await sendIn(app, hook, form);
    await client.patch(hook.path, { mapping: { company: '/studio' } }).expect(200);
    const { body } = await reprocess(hook, delivery_id).expect(200);
    expect(body.data.status).toBe('merged');
    expect(await leadsOf(client, form.email)).toMatchObject([{ company: 'Analytical Engines', version: 2 }]);
  });

  it('works while the hook is paused', async () => {
    const { hook, delivery_id, fix } = await rejected();
    await fix();
    await client.patch(hook.path, { status: 'paused' }).expect(200);
    const { body } = await reprocess(hook, delivery_id).expect(200);
    expect(body.data.status).toBe('created');
  });

  it('runs once per Idempotency-Key, and not with the wrong version in If-Match', async () => {
    const { hook, delivery_id, fix } = await rejected();
    await fix();
    await reprocess(hook, delivery_id, client.with({ 'If-Match': '"7"' })).expect(412);
    const once = client.with({ 'Idempotency-Key': randomUUID(), 'If-Match': '"1"' });
    const first = await reprocess(hook, delivery_id, once).expect(200);
    const second = await reprocess(hook, delivery_id, once).expect(200);
    expect(second.body).toEqual(first.body);
    expect(first.body.data.status).toBe('created');
  });

  it('is rejected when the payload has been erased', async () => {
    const { hook, email, delivery_id } = await rejected();
    const { body } = await client.post('/contacts', { name: 'Ada', email }).expect(201);
    await client.delete(`/contacts/${body.data.id}`).expect(204);
    await expectRefusal(reprocess(hook, delivery_id), { field: 'delivery_id', code: 'payload_erased' });
  });

  it('answers 404 under another hook, and for an unknown delivery', async () => {
    const { hook, delivery_id } = await rejected();
    await reprocess(await makeHook(client), delivery_id).expect(404);
    await reprocess(hook, 'inbound_01h455vb4pex5vsknk084sn02q').expect(404);
  });
});
