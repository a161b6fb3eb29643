import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { requestHead } from '../../support/raw.ts';

const lines: string[] = [];

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, log: (line) => lines.push(line) });
  client = await app.client();
});

afterAll(() => app.close());

/** The request's log lines, written as soon as it has been answered. */
async function linesOf(requestId: string): Promise<Record<string, unknown>[]> {
  const ofRequest = () =>
    lines.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === requestId);
  await expect.poll(() => ofRequest().length, { interval: 5 }).toBeGreaterThan(0);
  return ofRequest();
}

describe('the log', () => {
  it('has one line per request, with client, operation, status and duration', async () => {
    const id = randomUUID();
    await client.get('/leads?search=secret-search').set('X-Request-Id', id).expect(200);
    expect(await linesOf(id)).toEqual([
      expect.objectContaining({
        level: 30,
        request_id: id,
        method: 'GET',
        path: '/v1/leads',
        status: 200,
        environment: 'production',
        operation: 'listLeads',
        client: expect.stringMatching(/^client_/),
        ms: expect.any(Number),
      }),
    ]);
  });

  it('names no member of a line twice', async () => {
    const id = randomUUID();
    await client.get('/leads').set('X-Request-Id', id).expect(200);
    await linesOf(id);
    const line = lines.find((text) => text.includes(id)) ?? '';
    const names = [...line.matchAll(/[{,]"(\w+)":/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['/inbound-hooks/hook_01h455vb4pex5vsknk084sn02q', '/inbound-hooks/hook_01h455vb4pex5vsknk084sn02q'],
    ['/webhooks/x', '/webhooks/…'],
    ['/leads/external/ada%40example.com', '/leads/external/…'],
    ['/%6ceads/%65xternal/ada%40example.com', '/…/…/…'],
    ['/hooks/lph_live_secret', '/hooks/…'],
    ['/%68ooks/lph_live_secret', '/…/…'],
    ['/hooks%2Flph_live_secret', '/…'],
    ['/h%6Foks//lph_live_secret/', '/…//…/'],
    ['/hook/lph_live_secret', '/…/…'],
    ['//leads', '//leads'],
    [`/${'/'.repeat(5_000)}`, '/////////'],
  ])('contains the path %s without its secrets', async (path, shown) => {
    const id = randomUUID();
    await client.get(path).set('X-Request-Id', id);
    const [line] = await linesOf(id);
    expect(line?.path).toBe(`/v1${shown}`.split('/').slice(0, 10).join('/'));
    expect(lines.join('')).not.toMatch(/ada%40|lph_live_secret/);
  });

  it.each(['/guides', '/changelog', '/llms.txt', '/openapi-3.0.json'])(
    'contains the path of a page: %s',
    async (path) => {
      const id = randomUUID();
      await fetch(app.url + path, { headers: { 'X-Request-Id': id }, redirect: 'manual' });
      expect(await linesOf(id)).toEqual([expect.objectContaining({ path })]);
    },
  );

  it('has no line of an error that a client brought about', async () => {
    const from = lines.length;
    const sandbox = await app.client(undefined, 'sandbox');
    for (const failure of ['unavailable', 'timeout', 'rate_limited']) {
      await sandbox.get('/leads').set('Simulate', failure);
    }
    const { id } = await createLead(client);
    const holder = await app.production.knex.transaction();
    await holder('leads')
      .where({ id: toUuid('lead', id) ?? '' })
      .forUpdate();
    await client.patch(`/leads/${id}`, { name: 'B' }).expect(503);
    await holder.rollback();
    const items = Array.from({ length: 1_000 }, () => leadInput());
    const left = randomUUID();
    const { hostname, port } = new URL(app.url);
    for (const part of [1_000, undefined]) {
      const body = JSON.stringify({ items });
      const headers = { ...client.headers, 'Content-Type': 'application/json', 'X-Request-Id': left };
      const socket = connect(Number(port), hostname);
      const size = { 'Content-Length': String(body.length) };
      const head = requestHead('POST', '/v1/leads/batch/create', { ...headers, ...size });
      await new Promise((resolve) => socket.write(head + body.slice(0, part), resolve));
      socket.destroy();
    }
    await expect.poll(async () => (await linesOf(left)).length, { timeout: 10_000 }).toBe(2);
    for (let count = 0; count < 3; count += 1) await createLead(client);
    const levels = lines.slice(from).map((line) => JSON.parse(line).level);
    expect(levels).toContain(40);
    expect(levels.filter((level) => level > 40)).toEqual([]);
  });

  it('has a line for a rejected request as well', async () => {
    for (const [status, operation, code, send] of [
      [401, 'listLeads', 'token_missing', () => app.anonymous.get('/leads')],
      [404, undefined, 'not_found', () => client.get('/nothing')],
      [422, 'createLead', 'validation_failed', () => client.post('/leads', {})],
    ] as const) {
      const id = randomUUID();
      await send().set('X-Request-Id', id).expect(status);
      const [line] = await linesOf(id);
      expect(line).toMatchObject({ status, code, request_id: id });
      expect(line?.operation).toBe(operation);
    }
  });

  it('has no status for a request that was aborted before its response', async () => {
    const { hostname, port } = new URL(app.url);
    const ask = (id: string, method: string, path: string, headers: Record<string, string>, body: string) => {
      const socket = connect(Number(port), hostname);
      const json = { 'Content-Type': 'application/json', 'X-Request-Id': id };
      socket.write(requestHead(method, path, { ...client.headers, ...json, ...headers }) + body);
      return socket;
    };
    const cutOff = { level: 40, msg: 'request cut off', operation: expect.any(String) };

    // Half of its body is still to come.
    const half = randomUUID();
    const headers = { 'Content-Length': '50', Expect: '100-continue' };
    const sender = ask(half, 'POST', '/v1/leads', headers, '{"name":');
    // The service has received the headers.
    await once(sender, 'data');
    sender.destroy();
    const [ofHalf] = await linesOf(half);
    expect(ofHalf).toMatchObject({ ...cutOff, request_id: half });
    expect(ofHalf).not.toHaveProperty('status');

    // It waits for a row that another transaction changes.
    const { id, email } = await createLead(client);
    const holder = await app.production.knex.transaction();
    await holder('leads').where({ email }).forUpdate();
    const waiting = randomUUID();
    const waiter = ask(waiting, 'PATCH', `/v1/leads/${id}`, { 'Content-Length': '12' }, '{"name":"B"}');
    const waits =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await app.production.knex.raw(waits)).rowCount).toBe(1);
    waiter.destroy();
    const [ofWaiting] = await linesOf(waiting);
    await holder.rollback();
    expect(ofWaiting).toMatchObject({ ...cutOff, request_id: waiting });
    expect(ofWaiting).not.toHaveProperty('status');
  });

  it('never holds a token, a secret, a key, a body or a query', async () => {
    const credentials = await app.credentials();
    const { body } = await app.anonymous
      .post('/auth/token', { grant_type: 'client_credentials', ...credentials })
      .expect(200);
    const basic = Buffer.from(`${credentials.client_id}:${credentials.client_secret}`).toString('base64');
    const as = app.anonymous.with({ Authorization: `Bearer ${body.access_token}` });
    const marker = `marker${randomUUID().replaceAll('-', '')}`;
    const lead = await createLead(as, {
      name: marker,
      email: `${marker}@example.com`,
      metadata: { [marker]: marker },
    });
    const last = randomUUID();
    const sent = [
      app.anonymous
        .post('/auth/token', { grant_type: 'client_credentials' })
        .set('Authorization', `Basic ${basic}`),
      app.anonymous.post('/auth/token', { grant_type: marker, ...credentials }),
      app.anonymous.post('/auth/token', {
        grant_type: 'client_credentials',
        ...credentials,
        client_secret: marker,
      }),
      app.anonymous.get('/leads').set('Authorization', `Bearer ${marker}`),
      app.anonymous.get('/leads').set('X-API-Key', marker),
      as.get(`/leads?search=${marker}`),
      as.get(`/leads?${marker}=1`),
      as.get(`/leads?cursor=${marker}`),
      as.post('/leads', leadInput({ email: lead.email, name: marker })),
      as.post('/leads', `{"name": "${marker}`),
      as.post('/leads', { [marker]: marker }),
      as.patch(`/leads/${lead.id}`, { phone: marker }),
      as.post('/leads', leadInput()).set('Idempotency-Key', marker),
      as
        .get('/leads')
        .set('Cookie', marker)
        .set('User-Agent', marker)
        .set('Referer', `https://${marker}.test/`),
      ...[
        `/hooks/${marker}`,
        `/hooks/lph_live_${marker}?x=1`,
        `/hooks//${marker}`,
        `/hooks/x/${marker}`,
        `/Hooks/${marker}`,
        `/hooks%2F${marker}`,
      ].map((path) => app.anonymous.post(path, {})),
      app.anonymous.get(`/hooks/${marker}`),
      app.anonymous.post('/auth/revoke', { token: body.access_token, ...credentials }),
    ];
    for (const request of sent) await request;
    await client.get('/leads').set('X-Request-Id', last).expect(200);
    await linesOf(last);
    const text = lines.join('\n');
    expect(lines.length).toBeGreaterThan(sent.length);
    for (const secret of [marker, body.access_token, credentials.client_secret, basic]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/eyJ|lps_live_/);
    expect(text).not.toMatch(/bearer e|authorization/i);
  });
});
