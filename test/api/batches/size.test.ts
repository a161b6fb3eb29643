/** How large a batch may be, and which requests wait for others. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { leadInput, uniqueEmail } from '../../support/factories.ts';
import { requestHead } from '../../support/raw.ts';
import { make } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

vi.setConfig({ testTimeout: 60_000 });

const MiB = 1024 * 1024;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('a batch of 1,000 leads', () => {
  it('has its events and deliveries, as a single lead has', async () => {
    const { id } = await make(client, webhooks, { event_types: ['lead.created'] });
    const items = Array.from({ length: 1000 }, () => leadInput({ tags: ['vip'] }));
    const { body } = await client.post('/leads/batch/create', { items }).expect(200);
    expect(body.meta.created).toBe(1000);
    const emails = body.data.map(({ lead }: { lead: { email: string } }) => lead.email);
    expect(emails).toEqual(items.map(({ email }) => email));
    expect(typesOf(await eventsOf(client, body.data[999].id))).toEqual(['lead.created']);
    const { body: deliveries } = await client.get(`/webhooks/${id}/deliveries`).expect(200);
    expect(deliveries.meta.total).toBe(1000);
    await client.delete(`/webhooks/${id}`).expect(204);
  });

  it('may have 8 MiB; the response shows the first 4 MiB of leads, then ids only', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 15 }, (_, key) => [`key-${key}`, 'x'.repeat(500)]),
    );
    const items = Array.from({ length: 1000 }, () => leadInput({ metadata }));
    expect(JSON.stringify({ items }).length).toBeGreaterThan(7 * MiB);
    const { body, text } = await client.post('/leads/batch/create', { items }).expect(200);
    expect(body.meta.created).toBe(1000);
    expect(text.length).toBeGreaterThan(3.9 * MiB);
    expect(text.length).toBeLessThan(4.3 * MiB);
    const shown = body.data.filter((result: object) => 'lead' in result);
    expect(body.data.slice(0, shown.length)).toEqual(shown);
    const { id } = body.data.at(-1);
    expect((await client.get(`/leads/${id}`).expect(200)).body.data.metadata).toEqual(metadata);
    const ids = body.data.map(({ id }: { id: string }) => id);
    const read = await client.post('/leads/batch/read', { ids }).expect(200);
    expect(read.body.meta.found).toBe(1000);
    expect(read.text.length).toBeLessThan(4.3 * MiB);
    const changed = await client
      .post('/leads/batch/update', { items: ids.map((id: string) => ({ id, patch: { status: 'won' } })) })
      .expect(200);
    expect(changed.body.meta.updated).toBe(1000);
    expect(typesOf(await eventsOf(client, id))).toEqual([
      'lead.created',
      'lead.updated',
      'lead.status_changed',
    ]);
  });

  it('may come compressed', async () => {
    const zipped = gzipSync(JSON.stringify({ items: [leadInput()] }));
    const answer = await fetch(`${client.baseUrl}/leads/batch/create`, {
      method: 'POST',
      headers: { ...client.headers, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: zipped,
    });
    expect(answer.status).toBe(200);
  });

  it('has at most 100,000 values', async () => {
    const items = Array.from({ length: 1000 }, () => Array.from({ length: 120 }, () => 0));
    const { body } = await client.post('/leads/batch/create', { items }).expect(400);
    expect(body).toMatchObject({
      code: 'invalid_json',
      message: 'The body must not have more than 100000 values.',
    });
  });

  it('may have very many errors, of which the response shows up to 4 MiB', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`${'x'.repeat(90)}-${at}`, 0]));
    const items = Array.from({ length: 1000 }, () => wrong);
    const { body, text } = await client.post('/leads/batch/create', { items }).expect(200);
    expect(body.meta.failed).toBe(1000);
    expect(text.length).toBeLessThan(4.3 * MiB);
    expect(Object.keys(body.data[0].errors)).toHaveLength(50);
    expect(body.data[999]).toEqual({
      index: 999,
      status: 'failed',
      code: 'validation_failed',
      message: expect.stringContaining('smaller batch'),
    });
  });

  it('writes the same lead at most a hundred times, in order; later changes of it fail', async () => {
    const email = uniqueEmail();
    const items = Array.from({ length: 1000 }, (_, at) => ({ name: `Ada ${at}`, email }));
    items[500] = { name: 'Ada 99', email };
    items[501] = { name: 'Another', email: uniqueEmail() };
    const { body } = await client.post('/leads/batch/upsert', { match: 'email', items }).expect(200);
    expect(body.meta).toMatchObject({ created: 2, updated: 99, unchanged: 1, failed: 898 });
    expect(body.data[99].lead).toMatchObject({ name: 'Ada 99', version: 100 });
    expect(body.data[500]).toMatchObject({ status: 'unchanged', lead: { name: 'Ada 99', version: 100 } });
    const message = expect.stringContaining('More than 100 items');
    expect(body.data[999]).toMatchObject({ status: 'failed', message, errors: { email: [message] } });

    const { id } = body.data[0].lead;
    const patches = Array.from({ length: 101 }, (_, at) => ({ id, patch: { name: `Joan ${at}` } }));
    const changed = await client.post('/leads/batch/update', { items: patches }).expect(200);
    expect(changed.body.meta).toMatchObject({ updated: 100, failed: 1 });
    expect(changed.body.data[100].errors).toEqual({ id: [message] });
    const refused = await client.post('/leads/batch/update', { items: patches, atomic: true }).expect(422);
    expect(refused.body.errors).toEqual({ 'items.100.id': [message] });
  });
});

describe('batches that arrive slowly', () => {
  const begin = async () => {
    const { hostname, port } = new URL(app.url);
    const head = requestHead('POST', '/v1/leads/batch/create', {
      ...client.headers,
      'Content-Type': 'application/json',
      'Content-Length': String(8 * MiB),
    });
    const sockets = [1, 2, 3, 4].map(() => connect(Number(port), hostname));
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
      await new Promise((resolve) => socket.write(`${head}{`, resolve));
    }
    // They have been admitted once a request on a newer connection has been answered.
    await supertest(app.url).get('/v1/auth/me').set(client.headers).expect(200);
    return () => sockets.map((socket) => socket.destroy());
  };
  const items = () => Array.from({ length: 1000 }, () => ({ ...leadInput(), company: 'x'.repeat(200) }));
  /** Large enough to need room. */
  const create = () => client.post('/leads/batch/create', { items: items() });

  it('take room from others, which wait for it', async () => {
    const leave = await begin();
    let isDone = false;
    const waiting = create().then((answer) => {
      isDone = true;
      return answer;
    });
    for (let times = 0; times < 20; times += 1) await client.get('/auth/me').expect(200);
    expect(isDone).toBe(false);
    leave();
    expect((await waiting).status).toBe(200);
  });

  it('make others wait, then get 503, while single requests are served', async () => {
    const leave = await begin();
    const waiting = create();
    const single = await client.post('/leads', leadInput()).expect(201);
    expect(single.body.data.version).toBe(1);
    const { status, body, headers } = await waiting;
    leave();
    expect({ status, code: body.code, retry: headers['retry-after'] }).toEqual({
      status: 503,
      code: 'unavailable',
      retry: '2',
    });
    expect((await create()).status).toBe(200);
  });
});
