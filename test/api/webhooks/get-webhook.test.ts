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
  it('returns the webhook with its version, without its secret, and 304 for a known version', async () => {
    const { secret, ...shown } = await make(client, webhooks);
    const { body, text } = await client.get(`/webhooks/${shown.id}`).expect(200).expect('ETag', '"1"');
    expect(body).toEqual({ data: shown });
    expect(text).not.toContain(secret);
    await client.with({ 'If-None-Match': '"1"' }).get(`/webhooks/${shown.id}`).expect(304);
    await client.with({ 'If-None-Match': '"2"' }).get(`/webhooks/${shown.id}`).expect(200);
  });

  it('shows the health of deliveries, which changes neither the version nor the ETag', async () => {
    const { id } = await make(client, webhooks);
    const path = `/webhooks/${id}`;
    const at = '2026-11-20T09:30:00.000Z';
    const health = { last_success_at: at, failing_since: at, last_failing_since: at };
    await app.production
      .knex('webhooks')
      .where({ id: uuidOf(id) })
      .update(health);
    const { body } = await client.get(path).expect(200).expect('ETag', '"1"');
    expect(body.data).toMatchObject({ ...health, version: 1 });
    await client.with({ 'If-None-Match': '"1"' }).get(path).expect(304).expect('ETag', '"1"');
    const patched = client.with({ 'If-Match': '"1"' }).patch(path, { description: 'A' });
    await patched.expect(200).expect('ETag', '"2"');
    const patchedAgain = client.with({ 'If-Match': '"1"' }).patch(path, { description: 'B' });
    expect((await patchedAgain.expect(412)).body.code).toBe('version_mismatch');
    const rotated = client.with({ 'If-Match': '"2"' }).post(`${path}/rotate-secret`);
    await rotated.expect(200).expect('ETag', '"3"');
    await client.with({ 'If-Match': '"3"' }).delete(path).expect(204);
  });

  it('is not cached, because the health would be outdated', async () => {
    const { id } = await make(client, webhooks);
    await client.get(`/webhooks/${id}`).expect(200).expect('Cache-Control', 'no-store');
  });

  it.each(['webhook_01h455vb4pex5vsknk084sn02q', 'lead_01h455vb4pex5vsknk084sn02q', 'x'])(
    'answers 404 for %s',
    async (id) => {
      const { body } = await client.get(`/webhooks/${id}`).expect(404);
      expect(body.code).toBe('not_found');
    },
  );

  it('still returns a webhook to plain HTTP when the configuration no longer allows new ones', async () => {
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

  it("does not find the other environment's webhooks", async () => {
    const { id } = await make(client, webhooks);
    await (await app.client(['read'], 'sandbox')).get(`/webhooks/${id}`).expect(404);
  });
});
