import { randomUUID } from 'node:crypto';
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

async function codeOf(client: TestClient | undefined): Promise<number | string> {
  const answer = await client?.get('/auth/me');
  return answer?.status === 200 ? 200 : answer?.body.code;
}

describe('POST /clients/{id}/disable', () => {
  it('ends secret, tokens and API keys: here immediately, in other processes within a second', async () => {
    const beside = await startTestApp({ beside: app });
    const made = await makeApiClient(admin);
    const { api_key } = await makeApiKey(admin, made.id);
    const token = await signIn(app.anonymous, made);
    const key = app.anonymous.with({ 'X-API-Key': api_key });
    const there = (client: TestClient | undefined) => client?.at(`${beside.url}/v1`);
    const all = [token, key, there(token), there(key)];
    for (const client of all) expect(await codeOf(client)).toBe(200);
    const { body } = await admin.post(`/clients/${made.id}/disable`).expect(200).expect('ETag', '"2"');
    expect(body.data).toMatchObject({ status: 'disabled', disabled_at: expect.any(String), version: 2 });
    for (const client of [token, key]) expect(await codeOf(client)).toBe('token_revoked');
    for (const client of [there(token), there(key)]) {
      await expect.poll(() => codeOf(client), { timeout: 1_000, interval: 20 }).toBe('token_revoked');
    }
    expect(await signIn(app.anonymous, made)).toBeUndefined();
    await beside.close();
  });

  it('changes nothing the second time, and logs the first only', async () => {
    const { id } = await makeApiClient(admin);
    const first = await admin.post(`/clients/${id}/disable`).expect(200);
    const second = await admin.post(`/clients/${id}/disable`).expect(200);
    expect(second.body).toEqual(first.body);
    const actions = (await auditOf(admin, id)).map(({ action }) => action);
    expect(actions).toEqual(['client.created', 'client.disabled']);
  });

  it('changes nothing at another version', async () => {
    const { id } = await makeApiClient(admin);
    await admin.with({ 'If-Match': '"2"' }).post(`/clients/${id}/disable`).expect(412);
    expect((await admin.get(`/clients/${id}`)).body.data.status).toBe('enabled');
  });
});

describe('the last enabled client with the scope admin', () => {
  let alone: TestApp;

  beforeAll(async () => {
    alone = await startTestApp();
  });

  afterAll(() => alone.close());

  const disable = (as: TestClient | undefined, id: string) => as?.post(`/clients/${id}/disable`);

  it("can't be disabled by itself or by its own key until another administrator exists", async () => {
    const last = await alone.client(['admin', 'leads:read']);
    const { body: me } = await last.get('/auth/me').expect(200);
    const id = me.data.client_id;
    const { api_key } = await makeApiKey(last, id, { scopes: ['admin'] });
    for (const as of [last, alone.anonymous.with({ 'X-API-Key': api_key })]) {
      const { body } = await as.post(`/clients/${id}/disable`).expect(409);
      expect(body.code).toBe('last_admin');
    }
    expect((await last.get(`/clients/${id}`)).body.data.status).toBe('enabled');
    const other = await makeApiClient(last, { scopes: ['admin'] });
    await disable(last, other.id)?.expect(200);
    await disable(last, id)?.expect(409);
    await last.post(`/clients/${other.id}/enable`).expect(200);
    await disable(last, id)?.expect(200);
    const { body } = await last.get('/clients').expect(401);
    expect(body.code).toBe('token_revoked');
  });

  it('is left when two disable each other at the same moment', async () => {
    const { knex } = alone.production;
    await knex('api_clients').update({ disabled_at: new Date().toISOString() });
    const first = await alone.client(['admin']);
    const { body: me } = await first.get('/auth/me').expect(200);
    const made = await makeApiClient(first, { scopes: ['admin'] });
    const second = await signIn(alone.anonymous, made);
    const waiting = async () => {
      const { rows } = await knex.raw(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length;
    };
    const keyed = (client: TestClient | undefined) => client?.with({ 'Idempotency-Key': randomUUID() });
    const held = await knex.transaction();
    await held.raw('select from api_clients for no key update');
    const both = Promise.all([disable(keyed(first), made.id), disable(keyed(second), me.data.client_id)]);
    await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBe(2);
    await held.commit();
    expect((await both).map((answer) => answer?.status).toSorted()).toEqual([200, 409]);
    expect(await knex('api_clients').whereNull('disabled_at')).toHaveLength(1);
  });
});
