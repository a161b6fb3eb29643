/** The primary behind PgBouncer is lost, and its replica takes over. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { disableClient } from '../../../src/clients/operator.ts';
import { sessionTimeouts } from '../../../src/db/pool/timeouts.ts';
import { until } from '../../support/deliveries.ts';
import { type Network, startNetwork } from '../../support/network.ts';
import { MISSING as NO_POOLER, type Pooler, startPgBouncer } from '../../support/pgbouncer.ts';
import {
  asOperator,
  call,
  cleanUp,
  getToken,
  newClient,
  newDataDir,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { type Cluster, MISSING, startCluster } from '../../support/replication.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const skipped = MISSING ?? NO_POOLER;

let cluster: Cluster;
/** Between PgBouncer and the primary, whichever that is. */
let behind: Network;
/** From the service directly to the primary. */
let direct: Network;
let pooler: Pooler;
let server: RunningServer;
let base: string;

beforeEach(({ skip }) => {
  if (skipped !== undefined) skip(skipped);
});

beforeAll(async () => {
  if (skipped !== undefined) return;
  cluster = await startCluster(['leads', 'leads_sandbox']);
  const { primary } = cluster;
  for (const [name, milliseconds] of Object.entries(sessionTimeouts))
    await primary.query(`alter role api set ${name} = ${milliseconds}`);
  behind = await startNetwork(primary.url('leads'));
  direct = await startNetwork(primary.url('leads'));
  const target = new URL(behind.through(primary.url('leads')));
  // PgBouncer wants one, though PostgreSQL asks for none.
  target.password = 'none';
  pooler = await startPgBouncer(target.href, 3);
  const urls = (name: string) => ({ pooled: pooler.through(primary.url(name)), direct: primary.url(name) });
  const [production, sandbox] = [urls('leads'), urls('leads_sandbox')];
  server = await startServer({
    ...unlimited,
    DATABASE_URL: production.pooled,
    SANDBOX_DATABASE_URL: sandbox.pooled,
    DATABASE_DIRECT_URL: direct.through(production.direct),
    SANDBOX_DATABASE_DIRECT_URL: direct.through(sandbox.direct),
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: newDataDir(),
  });
  base = `${server.url}/v1`;
});

afterAll(async () => {
  await cleanUp();
  await pooler?.close();
  await behind?.close();
  await direct?.close();
  await cluster?.close();
});

const isReady = async () => (await fetch(`${server.url}/readyz`)).status === 200;

it('the service is not ready behind a standby, then goes on, and learns of revocations either way', async () => {
  const { primary, replica } = cluster;
  const other = await newClient(primary.url('leads'));
  const token = await getToken(base, await newClient(primary.url('leads')));
  const otherToken = await getToken(base, other);
  const me = async () => (await call(otherToken, 'GET', `${base}/auth/me`)).status;
  const create = () =>
    call(token, 'POST', `${base}/leads`, { name: 'Ada', email: `${randomUUID()}@example.com` });
  expect([(await create()).status, await me(), await me()]).toEqual([201, 200, 200]);
  await until(async () => {
    const [row] = await replica.query('select count(*)::int from leads', 'leads');
    return row?.count === 1;
  });

  // To a standby, and past the pooler still to the old primary.
  behind.lead(replica.url('leads'));
  await until(async () => !(await isReady()));
  expect((await create()).status).toBe(503);
  await replica.promote();
  await until(async () => (await create()).status === 201);
  await until(isReady);

  const exported = () => fetch(`${base}/leads/export`, { headers: { Authorization: `Bearer ${token}` } });
  expect((await exported()).status).toBe(503);
  expect(await me()).toBe(200);
  await asOperator(replica.url('leads'), (place) => disableClient(place, other.client_id));
  await until(async () => (await me()) === 401, 2);

  direct.lead(replica.url('leads'));
  const file = await until(async () => {
    const answer = await exported();
    return answer.status === 200 ? answer.text() : undefined;
  });
  const [row] = await replica.query('select count(*)::int from leads', 'leads');
  expect(file.trim().split('\n')).toHaveLength(1 + row?.count);
  expect(await server.stop()).toBe(0);
});
