import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decrypt } from '../../../src/values/secrets.ts';
import { deleteExpiredSecrets } from '../../../src/webhooks/queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { make } from '../../support/resources.ts';
import { uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

async function stored(id: string) {
  const row = await app.production
    .knex('webhooks')
    .where({ id: uuidOf(id) })
    .first();
  const open = (sealed: Buffer | null | undefined) => (sealed ? decrypt(app.secretKey, sealed) : null);
  return {
    current: open(row?.encrypted_secret),
    previous: open(row?.encrypted_previous_secret),
    expiresAt: row?.previous_secret_expires_at ?? null,
  };
}

describe('POST /webhooks/{id}/rotate-secret', () => {
  it('returns a new secret, only this once, and keeps the old one for 24 hours', async () => {
    const { secret: old, ...before } = await make(client, webhooks);
    const asked = Date.now();
    const { body } = await client
      .post(`/webhooks/${before.id}/rotate-secret`)
      .expect(200)
      .expect('ETag', '"2"')
      .expect('Cache-Control', 'no-store');
    const { secret, ...shown } = body.data;
    expect(shown).toEqual({ ...before, version: 2, updated_at: shown.updated_at });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(old);
    const { current, previous, expiresAt } = await stored(before.id);
    expect([current, previous]).toEqual([secret, old]);
    const hours = (Date.parse(expiresAt ?? '') - asked) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(24);
    expect(hours).toBeLessThan(24.1);
  });

  it('drops the oldest secret immediately when it is done twice', async () => {
    const { id } = await make(client, webhooks);
    const first = await client.post(`/webhooks/${id}/rotate-secret`).expect(200);
    const second = await client.post(`/webhooks/${id}/rotate-secret`).expect(200);
    const secrets = [second.body.data.secret, first.body.data.secret];
    const { current, previous } = await stored(id);
    expect([current, previous]).toEqual(secrets);
  });

  it('deletes the old secret when it has expired', async () => {
    const { id, secret } = await make(client, webhooks);
    const { body } = await client.post(`/webhooks/${id}/rotate-secret`).expect(200);
    await deleteExpiredSecrets(app.production.db, new Date());
    expect((await stored(id)).previous).toBe(secret);
    await app.production.knex('webhooks').update({ previous_secret_expires_at: new Date().toISOString() });
    await deleteExpiredSecrets(app.production.db, new Date());
    expect(await stored(id)).toEqual({ current: body.data.secret, previous: null, expiresAt: null });
  });

  it('returns the same secret when it is repeated with its Idempotency-Key, and stores it encrypted', async () => {
    const { id } = await make(client, webhooks);
    const key = randomUUID();
    const keyed = client.with({ 'Idempotency-Key': key });
    const first = await keyed.post(`/webhooks/${id}/rotate-secret`).expect(200);
    const second = await keyed.post(`/webhooks/${id}/rotate-secret`).expect(200);
    expect(second.body).toEqual(first.body);
    const row = await app.production.knex('idempotency_keys').where({ key }).first();
    expect(row).toMatchObject({ body: null, sealed_body: expect.any(Buffer) });
  });

  it('changes nothing with the wrong version in If-Match', async () => {
    const { id, secret } = await make(client, webhooks);
    await client.with({ 'If-Match': '"2"' }).post(`/webhooks/${id}/rotate-secret`).expect(412);
    expect((await stored(id)).current).toBe(secret);
  });
});
