/** A deleted person is not in the deliveries of inbound hooks, either. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { formInput, type Hook, makeHook, send, sendIn } from '../../support/hooks.ts';

const mapping = { name: '/name', email: '/email', phone: '/phone', 'metadata.note': '/note' };

let app: TestApp;
let client: TestClient;
let hook: Hook;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  hook = await makeHook(client, { mapping });
});

afterAll(() => app.close());

describe('data received by a hook', () => {
  it('is erased under every address that the person ever had', async () => {
    const { mark, fields } = someone();
    const { body } = await client.post('/leads', fields).expect(201);
    const path = `/leads/${body.data.id}`;
    const emails = [fields.email, `Second-${mark}@Example.com`, `third-${mark}@example.com`];
    for (const email of emails) {
      await client.patch(path, { email }).expect(200);
      const payload = { ...fields, email: 'none', reply_to: email, phone: mark };
      const { status } = await sendIn(app, hook, payload);
      expect(status).toBe('rejected');
    }
    await client.patch(path, { email: `last-${mark}@example.com` }).expect(200);
    await client.delete(path).expect(204);
    expect(await traces(app, mark)).toEqual([]);
  });

  it('is erased with a contact whose address was changed', async () => {
    const { mark, fields } = someone();
    const { body } = await client.post('/contacts', fields).expect(201);
    await sendIn(app, hook, { ...fields, email: 'none', reply_to: fields.email, phone: mark });
    await client.patch(`/contacts/${body.data.id}`, { email: null }).expect(200);
    await client.delete(`/contacts/${body.data.id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
  });

  it('is erased behind any number of other addresses, as a key, and within a text', async () => {
    const { mark, fields } = someone();
    const { body } = await client.post('/leads', fields).expect(201);
    const others = Array.from({ length: 500 }, (_, n) => `${n}-${randomUUID()}@example.com`);
    for (const payload of [
      { to: [...others, fields.email] },
      { to: [fields.email, ...others] },
      { [fields.email]: 1 },
      { message: `Written by ${fields.name} <${fields.email}>, see mailto:${fields.email}.` },
      { page: `https://example.com/?email=${fields.email}&name=${mark}` },
    ]) {
      await sendIn(app, hook, payload);
    }
    await client.delete(`/leads/${body.data.id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
  });

  it('is refused with more addresses than can be found again', async () => {
    const to = Array.from({ length: 1_001 }, (_, n) => `${n}@example.com`);
    const { body } = await send(app, hook, { ...formInput(), to: to.join(' ') }).expect(413);
    expect(body).toMatchObject({
      code: 'body_too_large',
      message: expect.stringContaining('1000 email addresses'),
    });
  });

  it('is erased under the address of another lead and the name of this one', async () => {
    const { mark, fields } = someone();
    const { delivery_id } = await sendIn(app, hook, { ...formInput(), note: mark, referrer: fields.email });
    const { body } = await client.post('/leads', fields).expect(201);
    await client.delete(`/leads/${body.data.id}`).expect(204);
    const left = await client.get(`${hook.path}/deliveries/${delivery_id}`).expect(200);
    expect(left.body.data).toMatchObject({ status: 'created', payload: null, version: 2 });
    await client.delete(`/leads/${left.body.data.lead_id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
  });

  it('tells nobody what was wrong by quoting it, and its erasure shows through If-None-Match', async () => {
    const { mark, fields } = someone();
    const wrong = { name: { [mark]: mark }, email: `${mark}(at)example.com`, phone: mark, note: [mark] };
    const { delivery_id } = await sendIn(app, hook, { ...wrong, reply_to: fields.email });
    const path = `${hook.path}/deliveries/${delivery_id}`;
    const before = await client.get(path).expect(200);
    expect(Object.keys(before.body.data.errors)).toContain('email');
    expect(before.body.data.warnings).not.toEqual([]);
    expect((await traces(app, mark)).sort()).toEqual([
      'inbound_deliveries.body',
      'inbound_deliveries.emails',
    ]);
    const { body } = await client.post('/contacts', { name: 'Ada', email: fields.email }).expect(201);
    await client.delete(`/contacts/${body.data.id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
    await client
      .with({ 'If-None-Match': before.headers.etag ?? '' })
      .get(path)
      .expect(200);
  });

  it('is nowhere stored when it was a preview, also under an Idempotency-Key, which makes it no older', async () => {
    const { mark, fields } = someone();
    const own = await makeHook(client);
    const once = client.with({ 'Idempotency-Key': randomUUID() });
    const preview = () => once.post(`${own.path}/preview`, { payload: fields }).expect(200);
    expect((await preview()).body.data.lead.name).toBe(fields.name);
    const { rows } = await app.production.knex.raw('select * from idempotency_keys where key = ?', [
      once.headers['Idempotency-Key'] ?? '',
    ]);
    expect(rows).toEqual([]);
    expect(await traces(app, mark)).toEqual([]);
    await client.patch(own.path, { mapping: { name: '/email' } }).expect(200);
    expect((await preview()).body.data.lead.name).toBe(fields.email);
  });
});
