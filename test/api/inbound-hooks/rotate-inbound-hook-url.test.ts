import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, makeHook, send, tokenOf } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('POST /inbound-hooks/{id}/rotate-url', () => {
  it('returns a new address, and the old one answers 404 immediately', async () => {
    const hook = await makeHook(client);
    const { body, headers } = await client.post(`${hook.path}/rotate-url`).expect(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', etag: '"2"' });
    expect(body.data).toMatchObject({ id: hook.id, version: 2 });
    const token = tokenOf(body.data.url);
    expect(token).not.toBe(hook.token);
    await send(app, hook, formInput()).expect(404);
    await send(app, { token }, formInput()).expect(202);
  });

  it('runs once per Idempotency-Key, whose record does not contain the address', async () => {
    const hook = await makeHook(client);
    const key = randomUUID();
    const once = client.with({ 'Idempotency-Key': key });
    const first = await once.post(`${hook.path}/rotate-url`).expect(200);
    const second = await once.post(`${hook.path}/rotate-url`).expect(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    const token = tokenOf(first.body.data.url);
    await send(app, { token }, formInput()).expect(202);
    const [record] = await app.production.knex('idempotency_keys').where({ key });
    expect(JSON.stringify(record)).not.toContain(token);
    expect(record?.sealed_body?.toString('latin1')).not.toContain(token);
  });

  it('changes nothing with the wrong version in If-Match', async () => {
    const hook = await makeHook(client);
    await client.with({ 'If-Match': '"2"' }).post(`${hook.path}/rotate-url`).expect(412);
    await send(app, hook, formInput()).expect(202);
  });
});
