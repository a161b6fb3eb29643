import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, makeApiClient, makeApiKey } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

describe('POST /clients/{id}/keys', () => {
  it('shows the key once, which works; stores its SHA-256 only', async () => {
    const { id: clientId } = await makeApiClient(admin, { scopes: ['read'] });
    const { body, headers } = await admin
      .post(`/clients/${clientId}/keys`, { name: 'Zap', scopes: ['leads:read', 'leads:read'] })
      .expect(201)
      .expect('ETag', '"1"')
      .expect('Cache-Control', 'no-store');
    const { api_key, ...key } = body.data;
    expect(key).toMatchObject({
      client_id: clientId,
      name: 'Zap',
      scopes: ['leads:read'],
      expires_at: null,
      revoked_at: null,
    });
    expect(headers.location).toBe(`https://api.test/v1/clients/${clientId}/keys/${key.id}`);
    const read = await admin.get(`/clients/${clientId}/keys/${key.id}`).expect(200);
    expect(read.body.data).toEqual(key);
    const holder = app.anonymous.with({ 'X-API-Key': api_key });
    await holder.get('/leads').expect(200);
    await holder.get('/contacts').expect(403);
    const { rows } = await app.production.knex.raw('select api_keys::text as text from api_keys');
    for (const { text } of rows) expect(text).not.toContain(api_key.slice('lpk_live_'.length));
  });

  it('has all scopes of its client unless they are named, and never more', async () => {
    const { id } = await makeApiClient(admin, { scopes: ['read', 'leads:write'] });
    expect((await makeApiKey(admin, id)).scopes).toEqual(['read', 'leads:write']);
    for (const scope of ['write', 'admin', 'users:write']) {
      await expectRefusal(admin.post(`/clients/${id}/keys`, { name: 'Zap', scopes: [scope] }), {
        field: 'scopes',
        code: 'invalid_scope',
      });
    }
    expect(await auditOf(admin, id)).toHaveLength(2);
  });

  it.each([
    ['2099-11-30', '2099-11-30T23:59:59.999Z'],
    ['2099-11-30T12:00:00+01:00', '2099-11-30T11:00:00.000Z'],
    ['9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59.999Z'],
    [null, null],
  ])('expires at %j', async (expires_at, expected) => {
    const { id } = await makeApiClient(admin);
    expect((await makeApiKey(admin, id, { expires_at })).expires_at).toBe(expected);
  });

  it.each([
    [{}, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ name: 'Nightly \u202dexport' }, 'name'],
    [{ name: 'Zap', scopes: [] }, 'scopes'],
    [{ name: 'Zap', scopes: ['root'] }, 'scopes.0'],
    [{ name: 'Zap', expires_at: '2020-01-01' }, 'expires_at'],
    [{ name: 'Zap', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'Zap', revoked_at: null }, 'revoked_at'],
  ])('rejects %j', async (input, field) => {
    const { id } = await makeApiClient(admin);
    await expectRefusal(admin.post(`/clients/${id}/keys`, input), { field });
  });

  it('rejects a key for a disabled client', async () => {
    const { id } = await makeApiClient(admin);
    await admin.post(`/clients/${id}/disable`).expect(200);
    await expectRefusal(admin.post(`/clients/${id}/keys`, { name: 'Zap' }), { field: 'id' });
  });

  it('returns the same key when it is repeated with its Idempotency-Key, and stores it encrypted', async () => {
    const { id } = await makeApiClient(admin);
    const key = randomUUID();
    const keyed = admin.with({ 'Idempotency-Key': key });
    const first = await keyed.post(`/clients/${id}/keys`, { name: 'Zap' }).expect(201);
    const second = await keyed.post(`/clients/${id}/keys`, { name: 'Zap' }).expect(201);
    expect(second.body).toEqual(first.body);
    const row = await app.production.knex('idempotency_keys').where({ key }).first();
    expect(row).toMatchObject({ body: null, sealed_body: expect.any(Buffer) });
  });
});
