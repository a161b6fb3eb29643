import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as operator from '../../../src/clients/operator.ts';
import { auditOf, makeApiClient, makeApiKey } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { deleteOld } from '../../support/old-data.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

describe('GET /audit-log', () => {
  it('has the actor, the action, the client, the address and the request', async () => {
    const { body: me } = await admin.get('/auth/me').expect(200);
    const requestId = `req-${randomUUID()}`;
    const made = await makeApiClient(admin.with({ 'X-Request-Id': requestId }), {
      name: 'Told',
      scopes: ['read'],
    });
    expect(await auditOf(admin, made.id)).toEqual([
      {
        id: expect.stringMatching(/^audit_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
        created_at: expect.any(String),
        action: 'client.created',
        actor: { type: 'client', id: me.data.client_id, user_id: null, name: 'Test', user_name: null },
        address: '127.0.0.1',
        request_id: requestId,
        client_id: made.id,
        key_id: null,
        erasure_id: null,
        name: 'Told',
        scopes: ['read'],
      },
    ]);
  });

  it('has the address of the client, not that of the proxy', async () => {
    const proxied = await startTestApp({ beside: app, trustProxy: 1 });
    const through = admin
      .at(`${proxied.url}/v1`)
      .with({ 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' });
    const { id } = await makeApiClient(through);
    expect((await auditOf(admin, id))[0]?.address).toBe('203.0.113.7');
    await proxied.close();
  });

  it("includes the operator's actions", async () => {
    const { client_id } = await app.credentials(['read']);
    await operator.rotateSecret(app.production, client_id);
    const key = { clientId: client_id, name: 'Zap', scopes: undefined, expiresAt: null };
    const { key_id } = await operator.issueApiKey(app.production, key);
    await operator.withdrawApiKey(app.production, key_id);
    await operator.disableClient(app.production, client_id);
    await operator.enableClient(app.production, client_id);
    const entries = await auditOf(admin, client_id);
    expect(entries.map(({ action, key_id }) => [action, key_id])).toEqual([
      ['client.created', null],
      ['client.secret_rotated', null],
      ['key.created', key_id],
      ['key.revoked', key_id],
      ['client.disabled', null],
      ['client.enabled', null],
    ]);
    for (const { actor, address, request_id } of entries) {
      expect([actor, address, request_id]).toEqual([
        { type: 'operator', id: null, user_id: null, name: null, user_name: null },
        null,
        null,
      ]);
    }
  });

  it('has a rotation of the signing key, which is about no client', async () => {
    await operator.replaceSigningKey(app.production, app.secretKey);
    const { body } = await admin.get('/audit-log?action=signing_key.rotated').expect(200);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ client_id: null, key_id: null, name: null, scopes: null });
  });

  it('is filtered by action, client, actor and time', async () => {
    const second = await app.client(['admin']);
    const { body: me } = await second.get('/auth/me').expect(200);
    const { id } = await makeApiClient(second);
    await makeApiKey(second, id);
    const total = async (query: string) =>
      (await admin.get(`/audit-log?${query}`).expect(200)).body.meta.total;
    expect(await total(`actor_id=${me.data.client_id}`)).toBe(2);
    expect(await total(`client_id=${id}&action=key.created`)).toBe(1);
    expect(await total(`client_id=${id}&action=key.created,client.created`)).toBe(2);
    expect(await total(`client_id=${id}&action=key.revoked`)).toBe(0);
    expect(await total('created_to=2020-01-01')).toBe(0);
    await admin.get('/audit-log?action=nothing').expect(400);
    await admin.get('/audit-log?client_id=x').expect(400);
  });

  it('is walked by cursor, the newest first', async () => {
    const { id } = await makeApiClient(admin);
    await makeApiKey(admin, id);
    const first = await admin.get(`/audit-log?client_id=${id}&per_page=1`).expect(200);
    expect(first.body.data[0].action).toBe('key.created');
    const { next_cursor } = first.body.meta;
    const second = await admin.get(`/audit-log?client_id=${id}&per_page=1&cursor=${next_cursor}`).expect(200);
    expect(second.body.data[0].action).toBe('client.created');
    expect(second.body.meta.next_cursor).toBeNull();
  });

  it('includes no rejected requests', async () => {
    const { id } = await makeApiClient(admin);
    await admin.post(`/clients/${id}/keys`, { name: 'Zap', scopes: ['admin'] }).expect(422);
    await admin.with({ 'If-Match': '"9"' }).post(`/clients/${id}/disable`).expect(412);
    expect(await auditOf(admin, id)).toHaveLength(1);
  });

  it('keeps an entry for 365 days', async () => {
    const { id } = await makeApiClient(admin);
    const age = (days: number) =>
      app.production.knex.raw(
        `update audit_log set created_at = now() - make_interval(days => ?) where client_id = ?`,
        [days, uuidOf(id)],
      );
    await age(364);
    await deleteOld(app.production.db, 'audit_log');
    expect(await auditOf(admin, id)).toHaveLength(1);
    await age(366);
    await deleteOld(app.production.db, 'audit_log');
    expect(await auditOf(admin, id)).toHaveLength(0);
  });

  it('is not for clients without the scope admin', async () => {
    await (await app.client(['read', 'write'])).get('/audit-log').expect(403);
  });
});
