/** A credential that is revoked while its request runs gets no data, and changes nothing. */
import { request as sendRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { latest } from '../../support/events.ts';
import { fetchExport } from '../../support/exports.ts';
import { createLead, leadInput, uniqueEmail } from '../../support/factories.ts';
import { makeHook } from '../../support/hooks.ts';
import { csv, upload } from '../../support/imports.ts';
import { insertLeads } from '../../support/lists.ts';
import { type WatchedQueries, watchQueries } from '../../support/queries.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
let admin: TestClient;
let queries: WatchedQueries;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  app = await startTestApp();
  admin = await app.client(allScopes);
  queries = watchQueries(app);
});

afterEach(() => {
  ahead = 0;
});

afterAll(async () => {
  vi.restoreAllMocks();
  await app.close();
});

interface Revocable {
  client: TestClient;
  /** Revokes the credential while a second passes. */
  revoke(): Promise<void>;
}

const revocables: Record<string, () => Promise<Revocable>> = {
  async 'a token'() {
    const { token, client, ...credentials } = await newToken();
    return revocable(client, () => app.anonymous.post('/auth/revoke', { token, ...credentials }).expect(200));
  },
  async 'a token of a disabled client'() {
    const { client, client_id } = await newToken();
    return revocable(client, () => admin.post(`/clients/${client_id}/disable`).expect(200));
  },
  async 'an API key'() {
    const { client_id } = await app.credentials();
    const { body } = await admin.post(`/clients/${client_id}/keys`, { name: 'Zap' }).expect(201);
    const key = `/clients/${client_id}/keys/${body.data.id}`;
    return revocable(app.anonymous.with({ 'X-API-Key': body.data.api_key }), () =>
      admin.post(`${key}/revoke`).expect(200),
    );
  },
};

async function newToken() {
  const { client_id, client_secret } = await app.credentials();
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const { body } = await app.anonymous.post('/auth/token', grant).expect(200);
  const token: string = body.access_token;
  return {
    client_id,
    client_secret,
    token,
    client: app.anonymous.with({ Authorization: `Bearer ${token}` }),
  };
}

function revocable(client: TestClient, act: () => PromiseLike<unknown>): Revocable {
  return {
    client,
    async revoke() {
      await act();
      ahead += 1_000;
    },
  };
}

const revoked = { code: 'token_revoked', message: expect.stringContaining('revoked') };

async function leadsWith(email: string): Promise<number> {
  const { body } = await admin.get(`/leads?email=${email}`).expect(200);
  return body.meta.total;
}

/** Sends the body in two parts, with something between them. */
function sendSlowly(client: TestClient, path: string, body: string, between: () => Promise<unknown>) {
  const headers = { ...client.headers, 'Content-Type': 'application/json', 'Content-Length': body.length };
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const request = sendRequest(client.baseUrl + path, { method: 'POST', headers }, async (response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode, text });
    });
    request.on('error', reject);
    queries.sent.splice(0);
    request.write(body.slice(0, 5));
    // The credential is authenticated once its lookup was sent.
    const isSent = () => queries.sent.some((text) => /api_clients|inbound_hooks/.test(text));
    vi.waitFor(() => expect(isSent()).toBe(true), 15_000)
      .then(between)
      .then(() => request.end(body.slice(5)), reject);
  });
}

describe.each(Object.entries(revocables))('%s', (_, make) => {
  it('gets no events that occur while it waits', async () => {
    const { client, revoke } = await make();
    const after = await latest(client);
    const wait = vi.spyOn(app.production.eventWatch, 'wait');
    const waiting = client.get(`/events?cursor=${after}&wait=30`).then((answer) => answer);
    await expect.poll(() => wait).toHaveBeenCalledOnce();
    wait.mockRestore();
    await revoke();
    const { id } = await createLead(admin);
    const { status, body, text } = await waiting;
    expect([status, body]).toEqual([401, expect.objectContaining(revoked)]);
    expect(text).not.toContain(id);
  });

  it('does not commit a change that takes long', async () => {
    const { client, revoke } = await make();
    const { id } = await createLead(admin);
    queries.before('update "leads"', revoke);
    const { body } = await client.patch(`/leads/${id}`, { company: 'Late' }).expect(401);
    expect(body).toMatchObject(revoked);
    expect((await admin.get(`/leads/${id}`).expect(200)).body.data).toMatchObject({
      company: null,
      version: 1,
    });
  });

  it('imports no file that was being uploaded, and stores none of its rows', async () => {
    const { client, revoke } = await make();
    queries.before('import_chunks', revoke);
    const { body } = await upload(client, csv('name,email', `Ada,${uniqueEmail()}`)).expect(401);
    expect(body).toMatchObject(revoked);
    expect((await admin.get('/imports').expect(200)).body.meta.total).toBe(0);
    expect(await app.production.knex('import_chunks')).toEqual([]);
  });

  it('creates nothing with a body that was sent slowly', async () => {
    const { client, revoke } = await make();
    const lead = leadInput();
    const { status, text } = await sendSlowly(client, '/leads', JSON.stringify(lead), revoke);
    expect([status, JSON.parse(text)]).toEqual([401, expect.objectContaining(revoked)]);
    expect(await leadsWith(lead.email)).toBe(0);
  });

  it('gets nothing more of a running export', async () => {
    const { client, revoke } = await make();
    await insertLeads(
      app.production.knex,
      Array.from({ length: 600 }, () => ({})),
    );
    queries.before('fetch', async () => queries.before('fetch', revoke));
    const response = await fetchExport(client, '/leads/export');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('gets no answer to a repeat that had to wait for the first request', async () => {
    const { client, revoke } = await make();
    const keyed = client.with({ 'Idempotency-Key': 'once' });
    const lead = leadInput();
    await keyed.post('/leads', lead).expect(201);
    queries.before('from "idempotency_keys"', revoke);
    const { body } = await keyed.post('/leads', lead).expect(401);
    expect(body).toMatchObject(revoked);
  });
});

describe('a hook', () => {
  it('creates no lead when its address is replaced while the body arrives', async () => {
    const hook = await makeHook(admin, { mapping: { name: '/name', email: '/email' } });
    const lead = { name: 'Ada', email: uniqueEmail() };
    const { status } = await sendSlowly(
      app.anonymous,
      `/hooks/${hook.token}`,
      JSON.stringify(lead),
      async () => {
        await admin.post(`${hook.path}/rotate-url`).expect(200);
        ahead += 1_000;
      },
    );
    expect(status).toBe(404);
    expect(await leadsWith(lead.email)).toBe(0);
    const kept = await app.production.knex('inbound_deliveries').where({ hook_id: uuidOf(hook.id) });
    expect(kept).toEqual([]);
  });
});

describe('a short request', () => {
  it('asks the database nothing about its credential', async () => {
    const { client } = await (revocables['a token'] as () => Promise<Revocable>)();
    await client.get('/leads').expect(200);
    queries.sent.splice(0);
    await client.post('/leads', leadInput()).expect(201);
    await client.get('/leads').expect(200);
    expect(queries.sent.length).toBeGreaterThan(0);
    // The probe names all tables, every few seconds.
    const asked = queries.sent.filter((text) => !text.includes('missingTables'));
    expect(asked.filter((text) => /api_clients|api_keys|revoked_tokens/.test(text))).toEqual([]);
  });
});
