import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopes as knownScopes } from '../../../generated/operations.ts';
import { apiClients, auditOf, makeApiClient, signIn } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

describe('POST /clients', () => {
  it('shows the secret once, and stores its SHA-256 only', async () => {
    const { client_secret, ...client } = await makeApiClient(admin);
    expect(client_secret).toMatch(/^lps_live_[\w-]{43}$/);
    expect(client).toMatchObject({ status: 'enabled', disabled_at: null });
    const { body } = await admin.get(`/clients/${client.id}`).expect(200);
    expect(body.data).toEqual(client);
    for (const table of ['api_clients', 'audit_log']) {
      const { rows } = await app.production.knex.raw(`select ??::text as text from ??`, [table, table]);
      for (const { text } of rows) expect(text).not.toContain(client_secret.slice('lps_live_'.length));
    }
  });

  it('creates a client that can do exactly what its scopes allow', async () => {
    const made = await makeApiClient(admin, { scopes: ['leads:read', 'leads:read'] });
    expect(made.scopes).toEqual(['leads:read']);
    const client = await signIn(app.anonymous, made);
    await client?.get('/leads').expect(200);
    await client?.get('/clients').expect(403);
    await client?.post('/leads', {}).expect(403);
  });

  it('stores the answer to an Idempotency-Key encrypted, and forbids caches to store it', async () => {
    const key = randomUUID();
    const keyed = admin.with({ 'Idempotency-Key': key });
    const first = await keyed.post('/clients', apiClients.input()).expect(201);
    const second = await keyed.post('/clients', apiClients.input()).expect(201);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(second.headers['cache-control']).toBe('no-store');
    expect(second.body).toEqual(first.body);
    const row = await app.production.knex('idempotency_keys').where({ key }).first();
    expect(row).toMatchObject({ body: null, sealed_body: expect.any(Buffer) });
    expect(await auditOf(admin, first.body.data.id)).toHaveLength(1);
  });

  it.each([
    ['scopes', []],
    ['scopes', 'read'],
    ['scopes.1', ['read', 'root']],
    ['name', 'two\nlines'],
    ['name', ' indented'],
    ['name', 'Website \u202edneckab'],
    ['name', '\u2067Website backend'],
  ])('rejects %s as %j', async (field, value) => {
    const [name = ''] = field.split('.');
    await expectRefusal(admin.post('/clients', { ...apiClients.input(), [name]: value }), { field });
  });

  it('knows the same scopes as the tokens', async () => {
    const { scopes } = await makeApiClient(admin, { scopes: [...knownScopes] });
    expect(scopes).toEqual(knownScopes);
  });

  it.each([[['read', 'write']], [['webhooks:write', 'users:write']]])(
    'is not for a client with the scopes %j',
    async (scopes) => {
      const { body } = await (await app.client(scopes)).post('/clients', apiClients.input()).expect(403);
      expect(body).toMatchObject({ code: 'insufficient_scope', required_scope: 'admin' });
    },
  );

  it('makes no client of the other environment', async () => {
    const made = await makeApiClient(admin);
    expect(await signIn(app.anonymous.at(`${app.url}/sandbox/v1`), made)).toBeUndefined();
    const sandbox = await app.client(['admin'], 'sandbox');
    expect((await makeApiClient(sandbox)).client_secret).toMatch(/^lps_test_/);
  });
});

describe('GET /clients/{id}', () => {
  it('shows a client that the operator registered, without its secret', async () => {
    const { client_id } = await app.credentials(['leads:read']);
    const { body } = await admin.get(`/clients/${client_id}`).expect(200);
    expect(body.data).toEqual({
      id: client_id,
      name: 'Test',
      scopes: ['leads:read'],
      user_id: null,
      limits: { read: null, write: null, batch: null, search: null, analytics: null },
      status: 'enabled',
      disabled_at: null,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      version: 1,
    });
  });
});

describe('the scope admin', () => {
  it('is in a token only if its client has it', async () => {
    const { client_id, client_secret } = await app.credentials(['read', 'write']);
    const body = { grant_type: 'client_credentials', client_id, client_secret, scope: 'admin' };
    const refused = await app.anonymous.post('/auth/token', body).expect(422);
    expect(refused.body.code).toBe('invalid_scope');
  });

  it('includes no other scope', async () => {
    await admin.get('/leads').expect(403);
    await admin.post('/leads', {}).expect(403);
  });
});
