/** A database that answers, but more slowly than a heartbeat allows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { disableClient } from '../../../src/clients/operator.ts';
import { type BehindNetwork, startBehindNetwork } from '../../support/behind-network.ts';
import { parseMetrics, sumOf } from '../../support/metrics.ts';
import { asOperator, call, getToken, newClient } from '../../support/process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Delay of each answer from the database. Milliseconds. */
const SLOW = 700;

let service: BehindNetwork;
let token: string;

beforeAll(async () => {
  service = await startBehindNetwork({ behind: ['DATABASE_URL'], env: { METRICS_PORT: '0' } });
  token = service.token;
});

afterAll(() => service?.close());

const me = (of: string) => call(of, 'GET', `${service.base}/auth/me`);

/** Number of credentials verified with the database so far. */
async function verified(): Promise<number> {
  const metricsUrl = /metrics +(\S+)\n/.exec(service.server.output.stdout)?.[1] ?? '';
  const samples = parseMetrics(await (await fetch(metricsUrl)).text());
  const labels = { environment: 'production', result: 'miss' };
  return sumOf(samples, 'lead_pipeline_credential_cache_total', labels) ?? 0;
}

it('known credentials are not verified again, and a revoked one is refused within a second', async () => {
  const other = await newClient(service.databaseUrl);
  const otherToken = await getToken(service.base, other);
  for (const known of [token, otherToken, token, otherToken]) expect((await me(known)).status).toBe(200);
  service.network.slow(SLOW);
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
  await asOperator(service.databaseUrl, (place) => disableClient(place, other.client_id));
  await sleep(1_000);
  expect((await me(otherToken)).body.code).toBe('token_revoked');
  expect((await me(token)).status).toBe(200);
  service.network.slow(0);
  expect(await service.server.stop()).toBe(0);
});
