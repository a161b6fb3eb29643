/** Rate limits of one client: `limits` in POST and PATCH /clients, and in GET /auth/me. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { expectRefusal } from '../../support/resources.ts';

const defaults = { read: 20, write: 21, batch: 22, search: 23, analytics: 24 };
const none = { read: null, write: null, batch: null, search: null, analytics: null };

let app: TestApp;
let beside: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp({ rateLimits: defaults });
  beside = await startTestApp({ rateLimits: defaults, beside: app });
  admin = (await app.client(['admin'])).with({});
  // The tests send more than anybody may.
  const { client_id } = (await admin.get('/auth/me').expect(200)).body.data;
  await admin.patch(`/clients/${client_id}`, { limits: { read: 1_000_000, write: 1_000_000 } }).expect(200);
});

afterAll(async () => {
  await beside.close();
  await app.close();
});

async function newClient(): Promise<{ client: TestClient; path: string }> {
  const client = await app.client(['read', 'write']);
  const { client_id } = (await client.get('/auth/me').expect(200)).body.data;
  return { client, path: `/clients/${client_id}` };
}

async function limitsOf(client: TestClient) {
  return (await client.get('/auth/me').expect(200)).body.data.limits;
}

/** The quota that an answer shows. */
function quotaIn({ headers }: { headers: Record<string, string> }): number {
  return Number(/q=(\d+)/.exec(headers['ratelimit-policy'] ?? '')?.[1]);
}

describe('PATCH /clients/{id} with limits', () => {
  it('sets them, and null restores the limit of the service', async () => {
    const { client, path } = await newClient();
    expect((await admin.get(path).expect(200)).body.data.limits).toEqual(none);
    expect(await limitsOf(client)).toEqual(defaults);
    const first = await admin.patch(path, { limits: { read: 600, batch: 1 } }).expect(200);
    expect(first.body.data).toMatchObject({ limits: { ...none, read: 600, batch: 1 }, version: 2 });
    expect(await limitsOf(client)).toEqual({ ...defaults, read: 600, batch: 1 });
    const second = await admin.patch(path, { limits: { read: null, search: 5 } }).expect(200);
    expect(second.body.data.limits).toEqual({ ...none, batch: 1, search: 5 });
    expect(await limitsOf(client)).toEqual({ ...defaults, batch: 1, search: 5 });
    const same = await admin.patch(path, { limits: { batch: 1, read: null } }).expect(200);
    expect(same.body.data.version).toBe(3);
    await admin.patch(path, { name: 'Renamed' }).expect(200);
    expect((await admin.get(path).expect(200)).body.data.limits).toEqual({ ...none, batch: 1, search: 5 });
    const log = await admin
      .get(`/audit-log?client_id=${path.split('/')[2]}&action=client.updated`)
      .expect(200);
    expect(log.body.data).toHaveLength(3);
  });

  it('counts at once, for a lower limit and for a higher one', async () => {
    const { client, path } = await newClient();
    await admin.patch(path, { limits: { write: 2 } }).expect(200);
    for (const left of [1, 0]) {
      const answer = await client.post('/leads', leadInput()).expect(201);
      expect(quotaIn(answer)).toBe(2);
      expect(answer.headers.ratelimit).toMatch(new RegExp(`^"write"; r=${left};`));
    }
    const refused = await client.post('/leads', leadInput()).expect(429);
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    expect(refused.body.message).toContain('the class "write" allows 2 in 60 seconds');
    // The other classes and other clients keep theirs.
    expect(quotaIn(await client.get('/leads').expect(200))).toBe(defaults.read);
    const { client: other } = await newClient();
    expect(quotaIn(await other.post('/leads', leadInput()).expect(201))).toBe(defaults.write);
    await admin.patch(path, { limits: { write: 1_000_000 } }).expect(200);
    for (let count = 0; count <= defaults.write; count += 1) await createLead(client);
  });

  it('counts for its API keys, and in the other processes', async () => {
    const { client, path } = await newClient();
    const { body } = await admin
      .post(`${path}/keys`, { name: 'Nightly', scopes: ['leads:read'] })
      .expect(201);
    const { headers: sent } = client;
    const key = { 'X-API-Key': body.data.api_key };
    const read = (url: string, headers: Record<string, string>) =>
      fetch(`${url}/v1/leads?per_page=1`, { headers }).then(({ headers }) =>
        quotaIn({ headers: Object.fromEntries(headers) }),
      );
    for (const url of [app.url, beside.url]) {
      expect([await read(url, sent), await read(url, key)]).toEqual([defaults.read, defaults.read]);
    }
    await admin.patch(path, { limits: { read: 50 } }).expect(200);
    expect([await read(app.url, sent), await read(app.url, key)]).toEqual([50, 50]);
    await expect.poll(() => read(beside.url, key), { timeout: 5_000 }).toBe(50);
    expect(await read(beside.url, sent)).toBe(50);
  });

  it.each([
    [{ read: 0 }, 'limits.read'],
    [{ read: -1 }, 'limits.read'],
    [{ write: 1.5 }, 'limits.write'],
    [{ analytics: 1_000_001 }, 'limits.analytics'],
    [{ search: '10' }, 'limits.search'],
    [{ inbound: 10 }, 'limits.inbound'],
    [null, 'limits'],
    [10, 'limits'],
  ])('rejects %j', async (limits, field) => {
    const { path } = await newClient();
    for (const request of [
      admin.patch(path, { limits }),
      admin.post('/clients', { name: 'Dialer', scopes: ['read'], limits }),
    ]) {
      await expectRefusal(request, { status: 422, field, code: 'validation_failed' });
    }
    expect((await admin.get(path).expect(200)).body.data.version).toBe(1);
  });

  it('needs the scope admin', async () => {
    const { client, path } = await newClient();
    await client.patch(path, { limits: { read: 100_000 } }).expect(403);
  });
});

describe('POST /clients with limits', () => {
  it('creates a client that has them', async () => {
    const input = { name: 'Dialer', scopes: ['read'], limits: { read: 7, write: null } };
    const { body } = await admin.post('/clients', input).expect(201);
    const { id: client_id, client_secret, limits } = body.data;
    expect(limits).toEqual({ ...none, read: 7 });
    const grant = { grant_type: 'client_credentials', client_id, client_secret };
    const { body: token } = await app.anonymous.post('/auth/token', grant).expect(200);
    const client = app.anonymous.with({ Authorization: `Bearer ${token.access_token}` });
    const answer = await client.get('/auth/me').expect(200);
    expect([answer.body.data.limits.read, quotaIn(answer)]).toEqual([7, 7]);
  });
});
