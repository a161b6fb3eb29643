/** A database that answers, but takes longer than a heartbeat may. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { setClientDisabled } from '../../../src/clients/operator.ts';
import { parseMetrics, sumOf } from '../../support/metrics.ts';
import { type Network, startNetwork } from '../../support/network.ts';
import {
  asOperator,
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  newClient,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Milliseconds until an answer of the database arrives. */
const SLOW = 700;

let external: External;
let network: Network;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  external = await externalDatabases();
  network = await startNetwork(inject('serverUrl'));
  server = await startServer({
    ...external.env,
    ...unlimited,
    DATABASE_URL: network.through(external.env.DATABASE_URL),
    METRICS_PORT: '0',
  });
  token = await getToken(`${server.url}/v1`, external.credentials);
});

afterAll(async () => {
  await cleanUp();
  await network?.close();
});

const me = (of: string) => call(of, 'GET', `${server.url}/v1/auth/me`);

/** Credentials that were verified with the database so far. */
async function verified(): Promise<number> {
  const metricsUrl = /metrics +(\S+)\n/.exec(server.output.stdout)?.[1] ?? '';
  const samples = parseMetrics(await (await fetch(metricsUrl)).text());
  const labels = { environment: 'production', result: 'miss' };
  return sumOf(samples, 'lead_pipeline_credential_cache_total', labels) ?? 0;
}

it('known credentials are not verified anew, and a revoked one is refused within a second', async () => {
  const other = await newClient(external.env.DATABASE_URL);
  const otherToken = await getToken(`${server.url}/v1`, other);
  for (const known of [token, otherToken, token, otherToken]) expect((await me(known)).status).toBe(200);
  network.slow(SLOW);
  await sleep(2_000);
  const before = await verified();
  const end = performance.now() + 5_000;
  let asked = 0;
  const ask = async () => {
    while (performance.now() < end) {
      expect((await me(token)).status).toBe(200);
      asked += 1;
    }
  };
  await Promise.all([ask(), ask(), ask()]);
  expect(asked).toBeGreaterThan(10);
  expect(await verified()).toBe(before);
  expect((await me(otherToken)).status).toBe(200);
  await asOperator(external.env.DATABASE_URL, (place) => setClientDisabled(place, other.client_id));
  await sleep(1_000);
  expect((await me(otherToken)).body.code).toBe('token_revoked');
  expect((await me(token)).status).toBe(200);
  network.slow(0);
  expect(await server.stop()).toBe(0);
});
