import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, makeApiClient, makeApiKey } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

describe('POST /clients/{id}/keys/{key_id}/revoke', () => {
  it("ends the key: here immediately, in other processes within a second; the client's other key stays", async () => {
    const beside = await startTestApp({ beside: app });
    const { id } = await makeApiClient(admin, { scopes: ['leads:read'] });
    const [key, sibling] = [await makeApiKey(admin, id), await makeApiKey(admin, id)];
    const holder = (apiKey: string, { url } = app) =>
      app.anonymous.at(`${url}/v1`).with({ 'X-API-Key': apiKey });
    for (const where of [app, beside]) await holder(key.api_key, where).get('/leads').expect(200);
    const path = `/clients/${id}/keys/${key.id}/revoke`;
    const { body } = await admin.post(path).expect(200).expect('ETag', '"2"');
    expect(body.data).toMatchObject({ id: key.id, revoked_at: expect.any(String), version: 2 });
    expect((await holder(key.api_key).get('/leads').expect(401)).body.code).toBe('token_revoked');
    const there = async () => (await holder(key.api_key, beside).get('/leads')).status;
    await expect.poll(there, { timeout: 1_000, interval: 20 }).toBe(401);
    for (const where of [app, beside]) await holder(sibling.api_key, where).get('/leads').expect(200);
    await beside.close();
  });

  it('changes nothing the second time, and logs the first only', async () => {
    const { id } = await makeApiClient(admin);
    const key = await makeApiKey(admin, id);
    const first = await admin.post(`/clients/${id}/keys/${key.id}/revoke`).expect(200);
    const second = await admin.post(`/clients/${id}/keys/${key.id}/revoke`).expect(200);
    expect(second.body).toEqual(first.body);
    expect((await auditOf(admin, id)).map(({ action, key_id }) => [action, key_id])).toEqual([
      ['client.created', null],
      ['key.created', key.id],
      ['key.revoked', key.id],
    ]);
  });

  it('answers 404 for the key of another client, which goes on to work, and 412 at another version', async () => {
    const [mine, other] = [await makeApiClient(admin), await makeApiClient(admin)];
    const key = await makeApiKey(admin, other.id);
    await admin.post(`/clients/${mine.id}/keys/${key.id}/revoke`).expect(404);
    await admin.with({ 'If-Match': '"2"' }).post(`/clients/${other.id}/keys/${key.id}/revoke`).expect(412);
    await app.anonymous.with({ 'X-API-Key': key.api_key }).get('/auth/me').expect(200);
  });
});
