/** The address for agents counts, logs and separates as the API does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { connectAgent } from '../../support/mcp.ts';

/** Of ten connections. */
const SHARE = 4;

interface Line {
  operation?: string;
  path?: string;
  client?: string;
  status?: number;
  request_id?: string;
}

let app: TestApp;
let owner: TestClient;
const lines: Line[] = [];

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, log: (line) => lines.push(JSON.parse(line)) });
  owner = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const at = (client: TestClient, path = '') => client.at(`${app.url}${path}`);

/** How many queries of the app wait for a lock. */
async function waitingIn({ production: { knex } }: TestApp): Promise<number> {
  const [row] = await knex('pg_stat_activity')
    .where({ wait_event_type: 'Lock', datname: knex.raw('current_database()') })
    .count({ count: '*' });
  return Number(row?.count);
}

describe('limits, logs and environments', () => {
  it('counts each request as a read, and each call in the class of its operation', async () => {
    const limited = await startTestApp({ beside: app, rateLimits: { read: 4, search: 1 } });
    const client = (await app.client(['read'])).at(`${limited.url}/v1`);
    const { headers } = await client.at(limited.url).post('/mcp', ping).expect(200);
    expect(headers.ratelimit).toMatch(/^"read"; r=3; t=\d+$/);
    const call = (values: object) =>
      client.at(limited.url).post('/mcp', {
        ...ping,
        method: 'tools/call',
        params: { name: 'list_leads', arguments: values },
      });
    const first = await call({ search: 'ada' }).expect(200);
    expect(first.body.result.isError).toBeUndefined();
    const second = await call({ search: 'ada' }).expect(200);
    expect(second.body.result).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'rate_limited',
        message: expect.stringContaining('the class "search" allows 1'),
      },
    });
    const third = await call({}).expect(200);
    expect(third.body.result.structuredContent).toMatchObject({ code: 'rate_limited' });
    await call({}).expect(429);
    await limited.close();
  });

  it('logs the call with its operation and client', async () => {
    const client = at(await app.client(['read']));
    const id = 'agent-request-1';
    await client
      .with({ 'X-Request-Id': id })
      .post('/mcp', { ...ping, method: 'tools/call', params: { name: 'list_users', arguments: {} } })
      .expect(200);
    const own = lines.filter(({ request_id }) => request_id === id);
    const clientId = expect.stringMatching(/^client_/);
    expect(own).toEqual([
      expect.objectContaining({ operation: 'listUsers', path: '/v1/users', status: 200, client: clientId }),
      expect.objectContaining({ operation: 'mcp', path: '/mcp', status: 200, client: clientId }),
    ]);
  });

  it('names the client in the audit log and in histories', async () => {
    const { body: me } = await owner.get('/auth/me').expect(200);
    const requestId = 'agent-request-2';
    const agent = await connectAgent(owner.with({ 'X-Request-Id': requestId }), '?level=write');
    const { json } = await agent.call('create_lead', { name: 'Ada', email: uniqueEmail() });
    await agent.call('look_up_person', { email: String(json.data.email) });
    const { body } = await owner.get('/audit-log?action=person.looked_up').expect(200);
    expect(body.data[0]).toMatchObject({
      actor: { type: 'client', id: me.data.client_id },
      address: '127.0.0.1',
      request_id: requestId,
    });
    const { body: history } = await owner.get(`/leads/${json.data.id}/events`).expect(200);
    expect(history.data[0].actor).toMatchObject({ type: 'client', id: me.data.client_id });
  });

  it('runs no more calls at the same time than the share of their client', async () => {
    const slow = await startTestApp({ waitsForLocks: true });
    const client = (await slow.client(['read'])).at(slow.url);
    const call = { ...ping, method: 'tools/call', params: { name: 'list_users', arguments: {} } };
    await client.post('/mcp', ping).expect(200);
    const lock = await slow.production.knex.transaction();
    await lock.raw('lock table users in access exclusive mode');
    const asked = Array.from({ length: 2 * SHARE }, (_, id) =>
      client.post('/mcp', { ...call, id }).expect(200),
    );
    const answered = Promise.all(asked);
    await expect.poll(() => waitingIn(slow), { timeout: 10_000 }).toBe(SHARE);
    await sleep(200);
    expect(await waitingIn(slow)).toBe(SHARE);
    await lock.rollback();
    for (const { body } of await answered) expect(body.result.isError).toBeUndefined();
    await slow.close();
  });

  it('begins no further call of a batch when its client has left', async () => {
    const slow = await startTestApp({ waitsForLocks: true });
    const client = await slow.client();
    const tag = 'left-alone';
    const calls = [1, 2].map((id) => ({
      ...ping,
      id,
      method: 'tools/call',
      params: { name: 'create_lead', arguments: { name: 'Ada', email: uniqueEmail(), tags: [tag] } },
    }));
    const lock = await slow.production.knex.transaction();
    await lock.raw('lock table leads in access exclusive mode');
    const leaving = new AbortController();
    const headers = { ...client.headers, 'Content-Type': 'application/json' };
    const sent = fetch(`${slow.url}/mcp?level=write`, {
      method: 'POST',
      headers,
      body: JSON.stringify(calls),
      signal: leaving.signal,
    });
    await expect.poll(() => waitingIn(slow), { timeout: 10_000 }).toBe(1);
    leaving.abort();
    await expect(sent).rejects.toThrow();
    await sleep(200);
    await lock.rollback();
    await expect.poll(() => waitingIn(slow)).toBe(0);
    await sleep(500);
    const { body } = await client.get(`/leads?tag=${tag}`).expect(200);
    expect(body.meta.total).toBeLessThan(2);
    await slow.close();
  });

  it('has the address of the client, not that of a proxy', async () => {
    const proxied = await startTestApp({ beside: app, trustProxy: 1 });
    const requestId = 'agent-request-3';
    const headers = {
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Proto': 'https',
      'X-Request-Id': requestId,
    };
    const agent = await connectAgent(owner.at(`${proxied.url}/v1`).with(headers));
    expect((await agent.call('look_up_person', { email: uniqueEmail() })).isError).toBe(false);
    const { body } = await owner.get('/audit-log?action=person.looked_up').expect(200);
    expect(body.data[0]).toMatchObject({ request_id: requestId, address: '203.0.113.7' });
    await proxied.close();
  });

  it('keeps the environments apart', async () => {
    const sandbox = await app.client(['read', 'write'], 'sandbox');
    const agent = await connectAgent(sandbox, '?level=write');
    const { json } = await agent.call('create_lead', { name: 'Ada', email: uniqueEmail() });
    await sandbox.get(`/leads/${json.data.id}`).expect(200);
    await owner.get(`/leads/${json.data.id}`).expect(404);
    await at(sandbox).post('/mcp', ping).expect(401);
    await at(owner).post('/sandbox/mcp', ping).expect(401);
  });
});
