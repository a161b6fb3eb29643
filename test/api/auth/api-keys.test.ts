import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disableClient, issueApiKey, withdrawApiKey } from '../../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput } from '../../support/factories.ts';

let app: TestApp;
let clientId: string;

beforeAll(async () => {
  app = await startTestApp();
});

beforeEach(async () => {
  ({ client_id: clientId } = await app.credentials(['read', 'leads:write']));
});

afterAll(() => app.close());

async function newKey(scopes = ['read', 'leads:write'], expiresAt: Date | null = null) {
  const { key_id, api_key } = await issueApiKey(app.production, {
    clientId,
    name: 'Test',
    scopes,
    expiresAt,
  });
  return { id: key_id, key: api_key, client: app.anonymous.with({ 'X-API-Key': api_key }) };
}

async function codeOf(client: TestClient): Promise<number | string> {
  const { status, body } = await client.get('/auth/me');
  return status === 200 ? status : body.code;
}

describe('an API key', () => {
  it('stands for its client, without an expiry', async () => {
    const { client } = await newKey(['leads:read']);
    const { body } = await client.get('/auth/me').expect(200);
    expect(body.data).toMatchObject({
      client_id: clientId,
      credential: 'api_key',
      scopes: ['leads:read'],
      expires_at: null,
    });
  });

  it('is named by GET /auth/me, and its last four characters are shown', async () => {
    const { id, key, client } = await newKey();
    const { body } = await client.get('/auth/me').expect(200);
    expect(body.data.key).toEqual({ id, name: 'Test', hint: key.slice(-4) });
  });

  it('shows when it was last used, without a new version', async () => {
    const { id, client } = await newKey();
    const path = `/clients/${clientId}/keys/${id}`;
    const admin = await app.client(['admin']);
    expect((await admin.get(path).expect(200)).body.data.last_used_at).toBeNull();
    const before = Date.now();
    await client.get('/auth/me').expect(200);
    await app.production.auth.recordUses();
    const { last_used_at, version } = (await admin.get(path).expect(200)).body.data;
    expect(Date.parse(last_used_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(last_used_at)).toBeLessThanOrEqual(Date.now());
    expect(version).toBe(1);
  });

  it('revokes itself, also twice, and the audit log says who', async () => {
    const { id, key, client } = await newKey();
    for (const _ of [1, 2]) await app.anonymous.post('/auth/revoke', { token: key }).expect(200);
    expect(await codeOf(client)).toBe('token_revoked');
    const admin = await app.client(['admin']);
    const { body } = await admin.get(`/audit-log?client_id=${clientId}`).expect(200);
    const acts = body.data.filter(({ action }: { action: string }) => action === 'key.revoked');
    expect(acts).toMatchObject([{ key_id: id, actor: { type: 'client', id: clientId } }]);
  });

  it('is not found by a guess: the answer is the same, and nothing changes', async () => {
    const { key, client } = await newKey();
    const guess = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    await app.anonymous.post('/auth/revoke', { token: guess }).expect(200);
    expect(await codeOf(client)).toBe(200);
  });

  it('can do what its own scopes allow, not everything that its client may', async () => {
    const reader = (await newKey(['leads:read'])).client;
    await reader.get('/leads').expect(200);
    const { body } = await reader.post('/leads', leadInput()).expect(403);
    expect(body.required_scope).toBe('leads:write');
    await (await newKey()).client.post('/leads', leadInput()).expect(201);
  });

  it('can not be given more than its client has', async () => {
    await expect(newKey(['write'])).rejects.toThrow(/write/);
    await expect(newKey(['root'])).rejects.toThrow(/root/);
  });

  it('is refused after its expiry, also while it is remembered', async () => {
    const expiresAt = new Date(Date.now() + 1_500);
    const { client } = await newKey(['read'], expiresAt);
    const { body } = await client.get('/auth/me').expect(200);
    expect(body.data.expires_at).toBe(expiresAt.toISOString());
    await expect.poll(() => codeOf(client), { timeout: 4_000, interval: 50 }).toBe('token_expired');
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it('is refused within a second after it was revoked, and its siblings are not', async () => {
    const [revoked, sibling] = [await newKey(), await newKey()];
    expect(await codeOf(revoked.client)).toBe(200);
    await withdrawApiKey(app.production, revoked.id);
    await expect.poll(() => codeOf(revoked.client), { timeout: 1_000, interval: 20 }).toBe('token_revoked');
    expect(await codeOf(sibling.client)).toBe(200);
  });

  it('is refused within a second after its client was disabled', async () => {
    const { client } = await newKey();
    expect(await codeOf(client)).toBe(200);
    await disableClient(app.production, clientId);
    await expect.poll(() => codeOf(client), { timeout: 1_000, interval: 20 }).toBe('token_revoked');
  });

  it('is refused when it is not one', async () => {
    const { key } = await newKey();
    const hash = await app.production.knex('api_keys').first('key_hash');
    for (const wrong of [
      `${key}x`,
      key.slice(0, -1),
      key.toUpperCase(),
      'x',
      hash?.key_hash.toString('hex') ?? '',
      `${key}, ${key}`,
    ]) {
      expect(await codeOf(app.anonymous.with({ 'X-API-Key': wrong }))).toBe('token_invalid');
    }
  });

  it('does not help a request whose token is wrong', async () => {
    const { client } = await newKey();
    expect(await codeOf(client.with({ Authorization: 'Bearer a.b.c' }))).toBe('token_invalid');
  });

  it('is stored as its SHA-256 only', async () => {
    const { key } = await newKey();
    const { rows } = await app.production.knex.raw('select api_keys::text as text from api_keys');
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain(key.slice('lpk_live_'.length));
  });
});
