/** The primary is lost while clients write, and its replica takes over. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { disableClient } from '../../../src/clients/operator.ts';
import { type BehindNetwork, databasesOn, startBehindNetwork } from '../../support/behind-network.ts';
import { type Receiver, startReceiver, until } from '../../support/deliveries.ts';
import { asOperator, call, getToken, newClient } from '../../support/process.ts';
import { type Cluster, MISSING, startCluster } from '../../support/replication.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Maximum time from the promotion of the replica until each writer has written again. Milliseconds. */
const MAX_RECOVERY = 6_000;
const WRITERS = 6;

let cluster: Cluster;
let service: BehindNetwork;
/** Leads to the primary, whichever that is, as HAProxy would. */
let network: BehindNetwork['network'];
let receiver: Receiver;
let server: BehindNetwork['server'];
let base: string;

beforeEach(({ skip }) => {
  if (MISSING !== undefined) skip(MISSING);
});

beforeAll(async () => {
  if (MISSING !== undefined) return;
  cluster = await startCluster(['leads', 'leads_sandbox']);
  receiver = await startReceiver();
  service = await startBehindNetwork({
    databases: databasesOn(cluster),
    env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  ({ network, server, base } = service);
  await cluster.replicateSynchronously();
});

afterAll(async () => {
  await service?.close();
  await receiver?.close();
  await cluster?.close();
});

interface Attempt {
  status: number;
  code: unknown;
  retryAfter: string | null;
}

/** Creates leads, and repeats each request with its Idempotency-Key until it gets 201. */
function startWriters(token: string) {
  const created: { email: string; id: string }[] = [];
  const attempts: Attempt[] = [];
  let isOver = false;

  async function write(): Promise<void> {
    const lead = { name: 'Ada', email: `${randomUUID()}@example.com` };
    const key = { 'Idempotency-Key': randomUUID() };
    for (;;) {
      const { status, headers, body } = await call(token, 'POST', `${base}/leads`, lead, key);
      attempts.push({ status, code: body.code, retryAfter: headers.get('Retry-After') });
      if (status === 201) {
        created.push({ email: lead.email, id: (body.data as { id: string }).id });
        return;
      }
      await sleep(200);
    }
  }

  const running = Array.from({ length: WRITERS }, async () => {
    while (!isOver) {
      await write();
      await sleep(50);
    }
  });
  return {
    created,
    attempts,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

/** Follows the log of events by its cursor, as a client that keeps its own copy does. */
function startFollower(token: string, cursor: string) {
  const followed: string[] = [];
  const refused: unknown[] = [];
  let isOver = false;

  async function follow(): Promise<void> {
    let after = cursor;
    for (let hasMore = true; !isOver || hasMore; ) {
      const { status, body } = await call(token, 'GET', `${base}/events?per_page=100&wait=1&cursor=${after}`);
      if (status === 200) {
        const events = body.data as { data: { object: { id: string } } }[];
        followed.push(...events.map(({ data }) => data.object.id));
        after = (body.meta as { next_cursor: string }).next_cursor;
        hasMore = events.length > 0;
      } else {
        if (status !== 503) return void refused.push(body);
        await sleep(200);
      }
    }
  }

  const running = follow();
  return {
    followed,
    refused,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

it('loses no answered request, repeats none, and goes on by itself', async () => {
  const { primary, replica } = cluster;
  const { token } = service;
  const other = await newClient(primary.url('leads'));
  const otherToken = await getToken(base, other);
  const subscription = { url: receiver.url, event_types: ['lead.created'] };
  expect((await call(token, 'POST', `${base}/webhooks`, subscription)).status).toBe(201);
  const { body } = await call(token, 'GET', `${base}/events?cursor=latest`);
  const follower = startFollower(token, (body.meta as { next_cursor: string }).next_cursor);
  const writers = startWriters(token);
  await until(() => writers.created.length > 50);

  await primary.kill();
  const before = writers.created.length;
  await sleep(500);
  // To a standby, which takes no writes yet.
  network.lead(replica.url('leads'));
  for (const path of ['/v1/leads', '/v1/events', '/readyz'])
    expect((await call(token, 'GET', server.url + path)).status, path).toBe(503);
  const promotedAt = performance.now();
  await replica.promote();
  await until(() => writers.created.length > before + 2 * WRITERS);
  expect(performance.now() - promotedAt).toBeLessThan(MAX_RECOVERY);
  await sleep(1_000);
  await writers.stop();
  await follower.stop();

  const failed = writers.attempts.filter(({ status }) => status !== 201);
  expect(failed.length).toBeGreaterThan(0);
  for (const { status, code, retryAfter } of failed) {
    expect(status).toBe(503);
    // A commit that was under way when the primary died has an unknown outcome: the key makes it safe to repeat.
    expect(code).toBeOneOf(['unavailable', 'outcome_unknown']);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  const leads = await replica.query('select email from leads', 'leads');
  const emails = writers.created.map(({ email }) => email);
  expect(leads.map(({ email }) => email).toSorted()).toEqual(emails.toSorted());
  const ids = writers.created.map(({ id }) => id).toSorted();
  expect(follower.refused).toEqual([]);
  expect(follower.followed.toSorted()).toEqual(ids);
  await until(() => {
    const told = new Set(receiver.received.map(({ event }) => event.data.object.id));
    return ids.every((id) => told.has(id));
  }, 30);

  // It is heard over the new connection.
  const me = async () => (await call(otherToken, 'GET', `${base}/auth/me`)).status;
  expect(await me()).toBe(200);
  await asOperator(replica.url('leads'), (place) => disableClient(place, other.client_id));
  await until(async () => (await me()) === 401, 2);
  // Nor does the new primary's database count as a copy.
  expect(await call('', 'GET', `${server.url}/readyz`)).toMatchObject({
    status: 200,
    body: { status: 'ok', sandbox: 'ok' },
  });
  expect(server.output.stderr).not.toContain('is a copy');
  expect(await server.stop()).toBe(0);
});
