import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSharedCounts, type SharedCounts } from '../../../src/http/limits/shared-counts.ts';
import { createLogger } from '../../../src/process/logger.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { until } from '../../support/deliveries.ts';
import { missing } from '../../support/programs.ts';
import { createRedis, REDIS_PASSWORD, type Redis } from '../../support/redis.ts';

const skipped = missing('redis-server');
/** A request waits for Redis for a tenth of a second, and takes some time itself on a busy machine. Milliseconds. */
const PATIENCE = 100;
const SLACK = 1_500;
const IN_MEMORY = 'Rate limits are counted in memory: Redis does not answer.';
const SHARED = 'Rate limits are shared again: Redis answers.';

const limits = { read: 4, write: 2, anonymous: 3, badSecret: 2 };
let redis: Redis;
/** All processes use its databases. */
let first: TestApp;
/** Two processes of the service. */
let apps: TestApp[];
let counts: SharedCounts[];
/** Their log lines about Redis. */
let logged: { msg: string; err?: { message: string } }[];

beforeAll(async () => {
  if (skipped !== undefined) return;
  redis = await createRedis();
  first = await startTestApp({ sandbox: true });
});
beforeEach(async ({ skip }) => {
  if (skipped !== undefined) skip(skipped);
  [apps, counts, logged] = [[], [], []];
});
afterEach(async () => {
  for (const one of counts) one.close();
  for (const app of apps.toReversed()) await app.close();
  await redis?.kill();
});
afterAll(async () => {
  await first?.close();
  await redis?.close();
});

async function startApp(url = redis.url): Promise<TestApp> {
  const logger = createLogger('info', { write: (line) => void logged.push(JSON.parse(line)) });
  const shared = await createSharedCounts(url, logger);
  counts.push(shared);
  const app = await startTestApp({
    ...{ rateLimits: limits, createStore: (name) => shared.createStore(name), beside: first },
  });
  apps.push(app);
  await shared.connect();
  return app;
}

const messages = () => logged.map(({ msg }) => msg);

/** The same client at each of two processes. */
async function startTwo(): Promise<[TestClient, TestClient]> {
  const [first, second] = [await startApp(), await startApp()];
  const client = await first.client();
  return [client, client.at(`${second.url}/v1`)];
}

async function left(client: TestClient): Promise<number> {
  const { headers } = await client.get('/auth/me');
  return Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1]);
}

async function timed<Result>(work: () => PromiseLike<Result>): Promise<[Result, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

describe('the rate limits of two processes with one Redis', () => {
  it('are one quota for a client, by class and environment', async () => {
    await redis.start();
    const [one, two] = await startTwo();
    expect([await left(one), await left(two), await left(one)]).toEqual([3, 2, 1]);
    const { headers } = await two.get('/auth/me').expect(200);
    expect(headers.ratelimit).toMatch(/^"read"; r=0; t=([1-9]|[1-5]\d|60)$/);
    for (const client of [one, two]) {
      const refused = await client.get('/leads').expect(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    await one.post('/leads', {}).expect(422);
    await two.post('/leads', {}).expect(422);
    await one.post('/leads', {}).expect(429);
    const [first, second] = apps as [TestApp, TestApp];
    const sandbox = await first.client(undefined, 'sandbox');
    expect([await left(sandbox), await left(sandbox.at(`${second.url}/sandbox/v1`))]).toEqual([3, 2]);
    expect(logged).toEqual([]);
  });

  it('share one quota between requests without a valid credential and guesses', async () => {
    await redis.start();
    await startTwo();
    const [one, two] = apps.map(({ url, anonymous }) => anonymous.at(`${url}/v1`)) as [
      TestClient,
      TestClient,
    ];
    const guess = (client: TestClient, digit: number) =>
      client.with({ 'X-API-Key': `lpk_live_${String(digit).repeat(43)}` }).get('/leads');
    const statuses = [];
    for (const [client, digit] of [
      [one, 1],
      [two, 2],
      [one, 3],
      [two, 4],
    ] as const) {
      statuses.push((await guess(client, digit)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    await one.get('/leads').expect(429);
    await two.get('/auth/jwks').expect(429);
  });

  it('lock out an address that sends wrong secrets for a client', async () => {
    await redis.start();
    await startTwo();
    const [one, two] = apps.map(({ url, anonymous }) => anonymous.at(`${url}/v1`)) as [
      TestClient,
      TestClient,
    ];
    const credentials = await apps[0]?.credentials();
    const exchange = (client: TestClient, more: object) =>
      client.post('/auth/token', { grant_type: 'client_credentials', ...credentials, ...more });
    await exchange(one, { client_secret: 'wrong' }).expect(401);
    await exchange(two, { client_secret: 'wrong' }).expect(401);
    for (const client of [one, two]) {
      const { body, headers } = await exchange(client, {}).expect(429);
      expect(body.code).toBe('client_locked');
      expect(Number(headers['retry-after'])).toBeGreaterThan(60);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(300);
    }
  });

  it('do not depend on the scripts that Redis remembers', async () => {
    await redis.start();
    const [one] = await startTwo();
    expect(await left(one)).toBe(3);
    await redis.command('SCRIPT', 'FLUSH');
    expect(await left(one)).toBe(2);
    expect(logged).toEqual([]);
  });
});

it('a request costs one command', async () => {
  await redis.start();
  const [client] = await startTwo();
  await left(client);
  await redis.command('CONFIG', 'RESETSTAT');
  expect([await left(client), await left(client)]).toEqual([2, 1]);
  const info = String(await redis.command('INFO', 'commandstats'));
  const calls = Object.fromEntries(
    Array.from(info.matchAll(/cmdstat_(\S+):calls=(\d+)/g), ([, ...pair]) => pair),
  );
  // The script counts, and returns the rest of the window.
  expect(calls).toMatchObject({ evalsha: '2', pttl: '2', incr: '2' });
  expect(
    Object.keys(calls).filter((name) => !/^(evalsha|pttl|incr|config|hello|auth|info)/.test(name)),
  ).toEqual([]);
});

describe('while Redis is gone', () => {
  it('each process limits on its own, logs that once, and then shares again without help', async () => {
    await redis.start();
    const [one, two] = await startTwo();
    expect([await left(one), await left(two)]).toEqual([3, 2]);
    await redis.kill();
    await sleep(50);
    expect([await left(one), await left(one), await left(one), await left(one)]).toEqual([3, 2, 1, 0]);
    await one.get('/auth/me').expect(429);
    expect(await left(two)).toBe(3);
    expect(messages()).toEqual([IN_MEMORY, IN_MEMORY]);
    await sleep(1_500);
    expect(messages()).toEqual([IN_MEMORY, IN_MEMORY]);
    await redis.start();
    await until(() => messages().length === 4, 5);
    expect(messages().slice(2)).toEqual([SHARED, SHARED]);
    expect([await left(one), await left(two), await left(one)]).toEqual([3, 2, 1]);
  });

  it('a service starts without it, and names the reason without the password', async () => {
    const app = await startApp();
    const client = await app.client();
    expect([await left(client), await left(client)]).toEqual([3, 2]);
    expect(messages()).toEqual([IN_MEMORY]);
    expect(JSON.stringify(logged)).toContain('ECONNREFUSED');
    await redis.start();
    await until(() => messages().includes(SHARED), 5);
    expect(await left(client)).toBe(3);
    await startApp(redis.url.replace(REDIS_PASSWORD, 'wrong-secret'));
    expect(logged.at(-1)?.msg).toBe(IN_MEMORY);
    expect(logged.at(-1)?.err?.message).toContain('WRONGPASS');
    expect(JSON.stringify(logged)).not.toMatch(/wrong-secret|correct-horse/);
  });
});

describe('while Redis hangs', () => {
  it('requests wait a tenth of a second once, however many, and then not at all', async () => {
    await redis.start();
    const client = await (await startApp()).client();
    expect(await left(client)).toBe(3);
    redis.freeze();
    const [answers, first] = await timed(() =>
      Promise.all(Array.from({ length: 20 }, () => client.get('/auth/me'))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
    expect(first).toBeGreaterThan(PATIENCE * 0.9);
    expect(first).toBeLessThan(PATIENCE + SLACK);
    // Longer than an attempt to reach Redis takes.
    const durations: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      durations.push((await timed(() => client.get('/auth/me')))[1]);
      await sleep(50);
    }
    expect(durations.filter((ms) => ms > PATIENCE * 0.9).length).toBeLessThan(durations.length / 3);
    expect(messages()).toEqual([IN_MEMORY]);
    redis.goOn();
    await until(() => messages().includes(SHARED), 5);
    expect(messages()).toEqual([IN_MEMORY, SHARED]);
  });
});

it('closing does not wait for a Redis that hangs', async () => {
  await redis.start();
  await startApp();
  redis.freeze();
  const [, ms] = await timed(async () => counts[0]?.close());
  expect(ms).toBeLessThan(SLACK);
});
