/** A failover that leaves the old primary running with its connections open. Only new connections lead to the new primary. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { disableClient } from '../../../src/clients/operator.ts';
import { type BehindNetwork, databasesOn, startBehindNetwork } from '../../support/behind-network.ts';
import { until } from '../../support/deliveries.ts';
import { asOperator, call, getToken, newClient } from '../../support/process.ts';
import { type Cluster, MISSING, type PostgresServer, startCluster } from '../../support/replication.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Maximum time until nothing is written to the old primary any more, after new connections lead elsewhere. Milliseconds. */
const NOTICED = 10_000;
const WRITERS = 6;

let cluster: Cluster;
let service: BehindNetwork;
let network: BehindNetwork['network'];
let server: BehindNetwork['server'];
let base: string;

beforeEach(({ skip }) => {
  if (MISSING !== undefined) skip(MISSING);
});

beforeAll(async () => {
  if (MISSING !== undefined) return;
  cluster = await startCluster(['leads', 'leads_sandbox']);
  service = await startBehindNetwork({
    databases: databasesOn(cluster),
  });
  ({ network, server, base } = service);
});

afterAll(async () => {
  await service?.close();
  await cluster?.close();
});

/** Creates leads without a pause, so that no connection is ever idle. */
function startWriters(token: string) {
  const created: { email: string; at: number }[] = [];
  let isOver = false;
  const running = Array.from({ length: WRITERS }, async () => {
    while (!isOver) {
      const lead = { name: 'Ada', email: `${randomUUID()}@example.com` };
      const at = performance.now();
      const { status } = await call(token, 'POST', `${base}/leads`, lead);
      if (status === 201) created.push({ email: lead.email, at });
    }
  });
  return {
    created,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

async function emailsOn(postgres: PostgresServer): Promise<Set<string>> {
  return new Set((await postgres.query('select email from leads', 'leads')).map(({ email }) => email));
}

it('is noticed by each connection within seconds, under load', async () => {
  const { primary, replica } = cluster;
  const other = await newClient(primary.url('leads'));
  const { token } = service;
  const otherToken = await getToken(base, other);
  const me = async () => (await call(otherToken, 'GET', `${base}/auth/me`)).status;
  expect([await me(), await me()]).toEqual([200, 200]);
  const writers = startWriters(token);
  await until(() => writers.created.length > 50);

  await replica.promote();
  network.leadNew(replica.url('leads'));
  const ledAt = performance.now();
  await sleep(NOTICED);
  // Who is disabled at the new primary is refused.
  expect(await me()).toBe(200);
  await asOperator(replica.url('leads'), (place) => disableClient(place, other.client_id));
  await until(async () => (await me()) === 401, 2);
  const written = () => writers.created.filter(({ at }) => at > ledAt + NOTICED).map(({ email }) => email);
  await until(() => written().length > 50);
  await writers.stop();
  const late = written();
  const [there, left] = [await emailsOn(replica), await emailsOn(primary)];
  expect(late.filter((email) => !there.has(email))).toEqual([]);
  expect(late.filter((email) => left.has(email))).toEqual([]);
});

it('is not undone when new connections lead to the old primary again', async () => {
  const { primary, replica } = cluster;
  const token = await getToken(base, await newClient(replica.url('leads')));
  network.lead(primary.url('leads'));
  const before = await emailsOn(primary);
  for (const path of ['/v1/leads', '/v1/events'])
    expect((await call(token, 'GET', server.url + path)).status, path).toBe(503);
  // An answer about readiness is up to 200 ms old.
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 503, 1);
  const lead = { name: 'Ada', email: `${randomUUID()}@example.com` };
  expect((await call(token, 'POST', `${base}/leads`, lead)).body.code).toBe('unavailable');
  expect(await emailsOn(primary)).toEqual(before);
  network.lead(replica.url('leads'));
  await until(async () => (await call(token, 'POST', `${base}/leads`, lead)).status === 201, 10);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});
