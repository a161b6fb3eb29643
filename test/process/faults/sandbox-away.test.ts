/** The sandbox's database hangs, and production goes on. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BehindNetwork, startBehindNetwork } from '../../support/behind-network.ts';
import { until } from '../../support/deliveries.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { call } from '../../support/process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Longer than any answer takes that does not wait for the sandbox (milliseconds). */
const SOON = 1_400;

let service: BehindNetwork;
let server: BehindNetwork['server'];
let network: BehindNetwork['network'];
let token: string;

beforeAll(async () => {
  service = await startBehindNetwork({ behind: ['SANDBOX_DATABASE_URL'], env: { METRICS_PORT: '0' } });
  ({ server, network, token } = service);
});

afterAll(() => service?.close());

async function readiness() {
  const startedAt = performance.now();
  const response = await fetch(`${server.url}/readyz`);
  return {
    status: response.status,
    body: (await response.json()) as object,
    ms: performance.now() - startedAt,
  };
}

describe('while the database of the sandbox hangs', () => {
  it('the service is ready for production, and says how the sandbox is', async () => {
    expect(await readiness()).toMatchObject({ status: 200, body: { status: 'ok', sandbox: 'ok' } });
    network.freezeNew(true);
    network.freeze();
    const answers: Awaited<ReturnType<typeof readiness>>[] = [];
    await until(async () => {
      answers.push(await readiness());
      return JSON.stringify(answers.at(-1)?.body) === '{"status":"ok","sandbox":"unavailable"}';
    });
    for (let time = 0; time < 5; time += 1) answers.push(await readiness());
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(SOON);
  });

  it('production is answered as always, however many wait for the sandbox', async () => {
    const sandbox = Array.from({ length: 40 }, () =>
      call(token, 'GET', `${server.url}/sandbox/v1/leads?per_page=100`),
    );
    for (let time = 0; time < 5; time += 1) {
      const startedAt = performance.now();
      const lead = { name: 'Ada', email: uniqueEmail() };
      expect((await call(token, 'POST', `${server.url}/v1/leads`, lead)).status).toBe(201);
      expect((await call(token, 'GET', `${server.url}/v1/leads?per_page=100`)).status).toBe(200);
      expect((await call(token, 'GET', `${server.url}/v1/analytics/summary`)).status).toBe(200);
      expect(performance.now() - startedAt).toBeLessThan(3 * SOON);
    }
    for (const { status } of await Promise.all(sandbox)) expect(status).toBe(503);
  });
});

it('when it is back, the sandbox answers again, and the service ends', async () => {
  network.freezeNew(false);
  await until(async () => JSON.stringify((await readiness()).body) === '{"status":"ok","sandbox":"ok"}');
  // Connections that the pool began to open before may still fail, with a 503.
  await until(async () => (await call(token, 'GET', `${server.url}/sandbox/v1/leads`)).status === 401);
  expect(await server.stop()).toBe(0);
});
