import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { make } from '../../support/resources.ts';
import { uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /webhooks/{id}', () => {
  it('answers the webhook with its version, without its secret, and 304 to who has it', async () => {
    const { secret, ...shown } = await make(client, webhooks);
    const { body, text } = await client.get(`/webhooks/${shown.id}`).expect(200).expect('ETag', '"1"');
    expect(body).toEqual({ data: shown });
    expect(text).not.toContain(secret);
    await client.with({ 'If-None-Match': '"1"' }).get(`/webhooks/${shown.id}`).expect(304);
    await client.with({ 'If-None-Match': '"2"' }).get(`/webhooks/${shown.id}`).expect(200);
  });

  it('tells how deliveries fare, which is no change of the webhook', async () => {
    const { id } = await make(client, webhooks);
    const at = '2026-11-20T09:30:00.000Z';
    await app.production
      .knex('webhooks')
      .where({ id: uuidOf(id) })
      .update({ last_success_at: at, failing_since: at });
    const { body } = await client.get(`/webhooks/${id}`).expect(200);
    expect(body.data).toMatchObject({ last_success_at: at, failing_since: at, version: 1 });
  });

  it('hides nothing of that behind a 304, nor holds up who changes the webhook', async () => {
    const { id } = await make(client, webhooks);
    const path = `/webhooks/${id}`;
    const fare = (fields: object) =>
      app.production
        .knex('webhooks')
        .where({ id: uuidOf(id) })
        .update(fields);
    const tags = new Set<string>();
    const at = new Date('2026-11-20T09:30:00.000Z');
    const later = new Date('2026-11-20T09:30:00.001Z');
    const fares = [
      { last_success_at: null, failing_since: null },
      { last_success_at: at },
      { failing_since: at },
      { last_success_at: null },
      { failing_since: later },
    ];
    for (const fields of fares) {
      await fare(fields);
      for (const tag of tags) await client.with({ 'If-None-Match': tag }).get(path).expect(200);
      const { headers } = await client.get(path).expect(200);
      tags.add(headers.etag ?? '');
      await client
        .with({ 'If-None-Match': headers.etag ?? '' })
        .get(path)
        .expect(304)
        .expect('ETag', headers.etag ?? '');
    }
    expect(tags.size).toBe(fares.length);
    const [fresh = '', used = ''] = tags;
    expect(fresh).toBe('"1"');
    expect(used).toMatch(/^"1-.+"$/);
    await client.with({ 'If-Match': '"2"' }).patch(path, { description: 'A' }).expect(412);
    await client.with({ 'If-Match': '"11"' }).patch(path, { description: 'A' }).expect(412);
    const patched = await client.with({ 'If-Match': used }).patch(path, { description: 'A' }).expect(200);
    expect(patched.headers.etag).toMatch(/^"2-.+"$/);
    await client.with({ 'If-Match': used }).patch(path, { description: 'B' }).expect(412);
    await client
      .with({ 'If-Match': '"2"' })
      .post(`${path}/rotate-secret`)
      .expect(200)
      .expect('ETag', /^"3-.+"$/);
    await client
      .with({ 'If-None-Match': patched.headers.etag ?? '' })
      .get(path)
      .expect(200);
    await client.with({ 'If-Match': '"3"' }).delete(path).expect(204);
  });

  it.each(['webhook_01h455vb4pex5vsknk084sn02q', 'lead_01h455vb4pex5vsknk084sn02q', 'x'])(
    'answers 404 for %s',
    async (id) => {
      const { body } = await client.get(`/webhooks/${id}`).expect(404);
      expect(body.code).toBe('not_found');
    },
  );

  it('answers one to plain HTTP that was made where the configuration allowed that', async () => {
    const { id } = await make(client, webhooks, { url: 'http://127.0.0.1:3000/hooks' });
    const strict = await startTestApp({ beside: app, allowPrivateTargets: false });
    const elsewhere = client.at(`${strict.url}/v1`);
    const { body } = await elsewhere.get(`/webhooks/${id}`).expect(200);
    expect(body.data.url).toBe('http://127.0.0.1:3000/hooks');
    await elsewhere.get('/webhooks').expect(200);
    await elsewhere.patch(`/webhooks/${id}`, { description: 'On this machine' }).expect(200);
    await elsewhere.patch(`/webhooks/${id}`, { url: 'http://127.0.0.1:3001/hooks' }).expect(422);
    await strict.close();
  });

  it('does not see into the other environment', async () => {
    const { id } = await make(client, webhooks);
    await (await app.client(['read'], 'sandbox')).get(`/webhooks/${id}`).expect(404);
  });
});
