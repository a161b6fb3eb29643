import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, makeApiClient, makeApiKey, signIn } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

describe('POST /clients/{id}/enable', () => {
  it('lets the client in again, with its secret, its tokens and its API keys, but for the revoked', async () => {
    const made = await makeApiClient(admin, { scopes: ['leads:read'] });
    const { api_key } = await makeApiKey(admin, made.id);
    const revoked = await makeApiKey(admin, made.id);
    const token = await signIn(app.anonymous, made);
    await admin.post(`/clients/${made.id}/keys/${revoked.id}/revoke`).expect(200);
    await admin.post(`/clients/${made.id}/disable`).expect(200);
    await token?.get('/leads').expect(401);
    const { body } = await admin.post(`/clients/${made.id}/enable`).expect(200).expect('ETag', '"3"');
    expect(body.data).toMatchObject({ status: 'enabled', disabled_at: null, version: 3 });
    await token?.get('/leads').expect(200);
    await app.anonymous.with({ 'X-API-Key': api_key }).get('/leads').expect(200);
    await app.anonymous.with({ 'X-API-Key': revoked.api_key }).get('/leads').expect(401);
    expect(await signIn(app.anonymous, made)).toBeDefined();
  });

  it('changes nothing of an enabled client, and logs nothing', async () => {
    const { client_secret: _secret, ...client } = await makeApiClient(admin);
    const { body } = await admin.post(`/clients/${client.id}/enable`).expect(200);
    expect(body.data).toEqual(client);
    expect(await auditOf(admin, client.id)).toHaveLength(1);
  });

  it('changes nothing at another version', async () => {
    const { id } = await makeApiClient(admin);
    await admin.post(`/clients/${id}/disable`).expect(200);
    await admin.with({ 'If-Match': '"1"' }).post(`/clients/${id}/enable`).expect(412);
    expect((await admin.get(`/clients/${id}`)).body.data.status).toBe('disabled');
  });
});
