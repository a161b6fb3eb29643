import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, makeApiClient, makeApiKey, signIn } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { until } from '../../support/deliveries.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

describe('POST /clients/{id}/rotate-secret', () => {
  it('shows a new secret once; the old one ends immediately, tokens and API keys stay', async () => {
    const { client_secret: old, ...before } = await makeApiClient(admin, { scopes: ['leads:read'] });
    const holder = await signIn(app.anonymous, { ...before, client_secret: old });
    const { api_key } = await makeApiKey(admin, before.id);
    const { body } = await admin
      .post(`/clients/${before.id}/rotate-secret`)
      .expect(200)
      .expect('ETag', '"2"')
      .expect('Cache-Control', 'no-store');
    const { client_secret, ...shown } = body.data;
    expect(shown).toEqual({ ...before, version: 2, updated_at: shown.updated_at });
    expect(client_secret).toMatch(/^lps_live_[\w-]{43}$/);
    expect(await signIn(app.anonymous, { ...before, client_secret: old })).toBeUndefined();
    expect(await signIn(app.anonymous, { ...before, client_secret })).toBeDefined();
    await holder?.get('/leads').expect(200);
    await app.anonymous.with({ 'X-API-Key': api_key }).get('/leads').expect(200);
  });

  it('with revoke_tokens, ends all earlier tokens on every process within a second, and no API key', async () => {
    const other = await startTestApp({ beside: app });
    const made = await makeApiClient(admin, { scopes: ['leads:read'] });
    const { api_key } = await makeApiKey(admin, made.id);
    const holders = [await signIn(app.anonymous, made), await signIn(other.anonymous, made)];
    for (const holder of holders) await holder?.get('/leads').expect(200);
    const { body } = await admin
      .post(`/clients/${made.id}/rotate-secret`, { revoke_tokens: true })
      .expect(200);
    for (const holder of holders) {
      await until(async () => (await holder?.get('/leads'))?.status === 401, 1);
      const { body } = (await holder?.get('/leads').expect(401)) ?? {};
      expect(body.code).toBe('token_revoked');
    }
    await app.anonymous.with({ 'X-API-Key': api_key }).get('/leads').expect(200);
    await other.close();
    // In the same second as the revocation.
    const after = await signIn(app.anonymous, body.data);
    await after?.get('/leads').expect(200);
    const actions = (await auditOf(admin, made.id)).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith('client.'))).toEqual([
      'client.created',
      'client.secret_rotated',
      'client.tokens_revoked',
    ]);
    // A later rotation without it doesn't bring them back, nor end the new ones.
    await admin.post(`/clients/${made.id}/rotate-secret`, {}).expect(200);
    await after?.get('/leads').expect(200);
    await holders[0]?.get('/leads').expect(401);
  });

  it('of two at the same time with If-Match, the second gets a 412', async () => {
    const { id } = await makeApiClient(admin);
    const rotate = () => admin.with({ 'If-Match': '"1"' }).post(`/clients/${id}/rotate-secret`);
    const answers = await Promise.all([rotate(), rotate()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const secret = answers.find(({ status }) => status === 200)?.body.data.client_secret;
    expect(await signIn(app.anonymous, { id, client_secret: secret })).toBeDefined();
  });

  it('returns the same secret when it is repeated with its Idempotency-Key, and stores it encrypted', async () => {
    const { id } = await makeApiClient(admin);
    const key = randomUUID();
    const keyed = admin.with({ 'Idempotency-Key': key });
    const first = await keyed.post(`/clients/${id}/rotate-secret`).expect(200);
    const second = await keyed.post(`/clients/${id}/rotate-secret`).expect(200);
    expect(second.body).toEqual(first.body);
    const row = await app.production.knex('idempotency_keys').where({ key }).first();
    expect(row).toMatchObject({ body: null, sealed_body: expect.any(Buffer) });
    const actions = (await auditOf(admin, id)).map(({ action }) => action);
    expect(actions).toEqual(['client.created', 'client.secret_rotated']);
  });

  it('works for a disabled client, so that it can be enabled safely', async () => {
    const { id } = await makeApiClient(admin);
    await admin.post(`/clients/${id}/disable`).expect(200);
    const { body } = await admin.post(`/clients/${id}/rotate-secret`).expect(200);
    expect(body.data.status).toBe('disabled');
    expect(await signIn(app.anonymous, body.data)).toBeUndefined();
    await admin.post(`/clients/${id}/enable`).expect(200);
    expect(await signIn(app.anonymous, body.data)).toBeDefined();
  });

  it('changes nothing at another version', async () => {
    const made = await makeApiClient(admin);
    await admin.with({ 'If-Match': '"2"' }).post(`/clients/${made.id}/rotate-secret`).expect(412);
    expect(await signIn(app.anonymous, made)).toBeDefined();
  });
});
