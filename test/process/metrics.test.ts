import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { startReceiver } from '../support/deliveries.ts';
import { parseMetrics, type Sample, sumOf } from '../support/metrics.ts';
import { type Network, startNetwork } from '../support/network.ts';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  failedStart,
  getToken,
  type RunningServer,
  run,
  startServer,
} from '../support/process.ts';

const production = { environment: 'production' };
/** Options of vi.waitFor() with a longer interval, because each poll is a scrape. */
const within = (timeout: number) => ({ timeout, interval: 200 });
let external: External;
let network: Network;
let server: RunningServer;
let metricsUrl: string;
let token: string;

beforeAll(async () => {
  external = await externalDatabases();
  network = await startNetwork(external.env.DATABASE_URL);
  server = await startServer({
    ...external.env,
    DATABASE_URL: network.through(external.env.DATABASE_URL),
    METRICS_PORT: '0',
    RATE_LIMIT_SEARCH: '2',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  metricsUrl = /metrics +(\S+)\n/.exec(server.output.stdout)?.[1] ?? '';
  token = await getToken(`${server.url}/v1`, external.credentials);
});

afterAll(async () => {
  await network.close();
  await cleanUp();
});

async function scrape(): Promise<Sample[]> {
  const response = await fetch(metricsUrl);
  expect(response.status).toBe(200);
  return parseMetrics(await response.text());
}

const ask = (method: string, path: string, body?: object) =>
  call(token, method, `${server.url}/v1${path}`, body);

describe('GET /metrics', () => {
  it('returns Prometheus text on a separate port of the loopback', async () => {
    expect(metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const response = await fetch(metricsUrl);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect((await fetch(new URL('/', metricsUrl))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405);
  });

  it('counts and times requests by operation and status', async () => {
    const labels = { ...production, operation: 'listUsers' };
    for (let count = 0; count < 3; count += 1) await ask('GET', '/users');
    await ask('GET', '/users?page=0');
    const samples = await scrape();
    expect(sumOf(samples, 'lead_pipeline_http_requests_total', { ...labels, status: '200' })).toBe(3);
    expect(sumOf(samples, 'lead_pipeline_http_requests_total', { ...labels, status: '400' })).toBe(1);
    const bucket = (le: string) =>
      sumOf(samples, 'lead_pipeline_http_request_duration_seconds_bucket', { ...labels, le }) ?? 0;
    expect([bucket('20'), bucket('+Inf')]).toEqual([4, 4]);
    expect(bucket('0.001')).toBeLessThan(4);
    expect(sumOf(samples, 'lead_pipeline_http_requests_in_flight')).toBe(0);
  });

  it('has no labels chosen by clients', async () => {
    for (const path of ['/nothing-1', '/nothing-2', '/users/user_made_up']) await ask('GET', path);
    const samples = await scrape();
    const known = sumOf(samples, 'lead_pipeline_http_requests_total', {
      ...production,
      operation: 'unknown',
      status: '404',
    });
    expect(known).toBe(2);
    expect(samples.some(({ labels }) => /nothing|made_up/.test(JSON.stringify(labels)))).toBe(false);
  });

  it('counts rate-limited requests by class', async () => {
    for (let count = 0; count < 4; count += 1) await ask('GET', '/leads?search=ada');
    const samples = await scrape();
    expect(sumOf(samples, 'lead_pipeline_rate_limited_total', { class: 'search' })).toBe(2);
  });

  it('shows the connection pool, and the hits and misses of the credential cache', async () => {
    const before = await scrape();
    await ask('GET', '/users');
    await ask('GET', '/users');
    const samples = await scrape();
    const hits = { ...production, result: 'hit' };
    const counted = [before, samples].map(
      (all) => sumOf(all, 'lead_pipeline_credential_cache_total', hits) ?? 0,
    );
    expect((counted[1] ?? 0) - (counted[0] ?? 0)).toBe(2);
    expect(
      sumOf(samples, 'lead_pipeline_credential_cache_total', { ...production, result: 'miss' }),
    ).toBeGreaterThan(0);
    expect(sumOf(samples, 'lead_pipeline_database_connections_limit', production)).toBe(10);
    expect(sumOf(samples, 'lead_pipeline_database_connections', production)).toBeGreaterThan(0);
    expect(sumOf(samples, 'lead_pipeline_database_waiting', production)).toBe(0);
    expect(sumOf(samples, 'lead_pipeline_database_up', { environment: 'sandbox' })).toBe(1);
  });

  it('counts delivery attempts by outcome, and measures the latency of deliveries', async () => {
    const receiver = await startReceiver((_, res) => res.writeHead(503).end());
    const hook = await ask('POST', '/webhooks', { url: receiver.url, event_types: ['lead.created'] });
    expect(hook.status).toBe(201);
    const ok = await startReceiver();
    expect((await ask('POST', '/webhooks', { url: ok.url, event_types: ['lead.created'] })).status).toBe(201);
    await ask('POST', '/leads', { name: 'Ada', email: 'ada@example.com' });
    const attempts = (samples: Sample[], outcome: string, answer: string) =>
      sumOf(samples, 'lead_pipeline_webhook_attempts_total', { ...production, outcome, answer });
    await vi.waitFor(async () => {
      const samples = await scrape();
      expect([attempts(samples, 'succeeded', '2xx'), attempts(samples, 'retrying', '5xx')]).toEqual([1, 1]);
      expect(sumOf(samples, 'lead_pipeline_webhook_delivery_latency_seconds_count', production)).toBe(1);
    }, within(10_000));
    await receiver.close();
    await ok.close();
  });

  it('shows the backlog, running imports, the version and the process', async () => {
    const samples = await scrape();
    for (const name of [
      'webhook_deliveries_due',
      'webhook_oldest_due_seconds',
      'events_held',
      'counter_changes',
    ]) {
      expect(sumOf(samples, `lead_pipeline_${name}`, production)).toBeGreaterThanOrEqual(0);
    }
    expect(sumOf(samples, 'lead_pipeline_imports', { ...production, status: 'running' })).toBe(0);
    expect(sumOf(samples, 'lead_pipeline_bulk_jobs', { ...production, status: 'queued' })).toBe(0);
    expect(sumOf(samples, 'lead_pipeline_build_info', { role: 'all', version: '1.0.0' })).toBe(1);
    expect(sumOf(samples, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    expect(sumOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  it('shows the size and age of a backlog', async () => {
    const admin = new pg.Client({ connectionString: external.env.DATABASE_URL });
    await admin.connect();
    await admin.query(`with event as (select id, type, resource_id from events limit 1), webhook as (select id from webhooks limit 1)
      insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id, next_attempt_at, leased_until)
      select webhook.id, event.id, type, resource_id, now() - interval '1 hour', now() + interval '1 hour'
      from webhook, event, generate_series(1, 25)`);
    await admin.end();
    await vi.waitFor(async () => {
      const samples = await scrape();
      // The first webhook's next attempt may be due as well.
      expect(sumOf(samples, 'lead_pipeline_webhook_deliveries_due', production)).toBeGreaterThanOrEqual(25);
      expect(sumOf(samples, 'lead_pipeline_webhook_oldest_due_seconds', production)).toBeGreaterThan(3_500);
    }, within(8_000));
  });

  it('serves concurrent scrapers, even if one of them does not read', async () => {
    const { hostname, port } = new URL(metricsUrl);
    const idle = connect(Number(port), hostname).on('error', () => undefined);
    idle.pause();
    idle.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
    const texts = await Promise.all(Array.from({ length: 10 }, scrape));
    expect(texts.every((samples) => samples.length > 50)).toBe(true);
    expect((await ask('GET', '/users')).status).toBe(200);
    idle.destroy();
  });

  it('works while the database hangs: it omits the backlog and reports the database as down', async () => {
    network.freeze();
    network.freezeNew(true);
    try {
      await vi.waitFor(async () => {
        const startedAt = performance.now();
        const samples = await scrape();
        expect(performance.now() - startedAt).toBeLessThan(2_500);
        expect(sumOf(samples, 'lead_pipeline_database_up', production)).toBe(0);
        expect(sumOf(samples, 'lead_pipeline_webhook_deliveries_due', production)).toBeUndefined();
        expect(sumOf(samples, 'lead_pipeline_database_up', { environment: 'sandbox' })).toBe(1);
      }, within(15_000));
    } finally {
      network.freezeNew(false);
    }
    await vi.waitFor(
      async () => expect(sumOf(await scrape(), 'lead_pipeline_database_up', production)).toBe(1),
      within(25_000),
    );
  });

  it('stops with the service', async () => {
    expect(await server.stop()).toBe(0);
    await expect(fetch(metricsUrl)).rejects.toThrow();
  });
});

describe('the metrics port', () => {
  it('is printed by a worker, and serves its metrics', async () => {
    const worker = run(process.execPath, ['src/server.ts'], {
      ...external.env,
      ROLE: 'worker',
      METRICS_PORT: '0',
    });
    await vi.waitFor(
      () => expect(worker.output.stdout).toMatch(/metrics at http:\/\/127\.0\.0\.1:\d+\/metrics/),
      15_000,
    );
    const [url = ''] = /http:\S+\/metrics/.exec(worker.output.stdout) ?? [];
    expect(
      sumOf(parseMetrics(await (await fetch(url)).text()), 'lead_pipeline_build_info', { role: 'worker' }),
    ).toBe(1);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
  });

  it('that is already in use ends the start with a clear message', async () => {
    const port = new URL(inject('serverUrl')).port;
    const { code, stderr } = await failedStart({ ...external.env, METRICS_PORT: port });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Port ${port} on 127.0.0.1 is already in use. Set METRICS_PORT to another port.`,
    );
  });
});
