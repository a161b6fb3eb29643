import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver, until } from '../../support/deliveries.ts';
import { findFaketime } from '../../support/faketime.ts';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { expectKeptOnce, startTraffic, type Traffic } from '../../support/traffic.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const library = findFaketime();
const SEARCHES = 3;
/** Delay before a failed receiver gets its next attempt, with jitter. Milliseconds. */
const RETRY = { min: 4_400, max: 7_500 };

let folder: string;
let external: External;
let receiver: Receiver;
let server: RunningServer;
let base: string;
/** Issued an hour ahead, so that it is valid at all tested times. */
let token: string;
let traffic: Traffic;
/** Whether the receiver accepts deliveries. */
let isWell = true;
/** When each resource was sent to it (performance.now()). */
const sent = new Map<string, number[]>();

beforeAll(async () => {
  if (library === undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'clock-'));
  setClock('+1h');
  external = await externalDatabases();
  receiver = await startReceiver(({ event }, res) => {
    const { id } = event.data.object;
    sent.set(id, [...(sent.get(id) ?? []), performance.now()]);
    res.writeHead(isWell ? 204 : 500).end();
  });
  server = await startServer({
    ...external.env,
    ...unlimited,
    RATE_LIMIT_SEARCH: String(SEARCHES),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    // Only what a clock on the wall shows moves, as when it is set. The database has a clock of its own.
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: join(folder, 'clock'),
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_NO_CACHE: '1',
  });
  base = `${server.url}/v1`;
  token = await getToken(base, external.credentials);
  traffic = startTraffic(server.url, token, { keyed: 1, bare: 1 });
  const webhook = { url: receiver.url, event_types: ['content.created'] };
  expect((await ask('POST', '/webhooks', webhook)).status).toBe(201);
});
beforeEach(({ skip }) => {
  if (library === undefined) skip('libfaketime: missing; apt-get install faketime');
});
afterAll(async () => {
  await cleanUp();
  await receiver?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

function setClock(offset: '+1h' | '+0' | '-1h'): void {
  writeFileSync(join(folder, 'clock'), offset);
}

const ask = (...[method, path, body, headers]: [string, string, object?, Record<string, string>?]) =>
  call(token, method, base + path, body, headers);

const me = async (given: string) => (await call(given, 'GET', `${base}/auth/me`)).status;

async function createContent(): Promise<string> {
  const { status, body } = await ask('POST', '/content', { title: 'Clocks', type: 'article' });
  expect(status).toBe(201);
  return (body.data as { id: string }).id;
}

/** A failed delivery is retried after the usual delay, not immediately and not an hour later. */
async function expectRetry(): Promise<void> {
  isWell = false;
  const id = await createContent();
  await until(() => sent.has(id), 5);
  await sleep(500);
  isWell = true;
  await until(() => sent.get(id)?.length === 2, 10);
  const [first = 0, second = 0] = sent.get(id) ?? [];
  expect(second - first).toBeGreaterThan(RETRY.min);
  expect(second - first).toBeLessThan(RETRY.max);
}

async function exhaustSearches(): Promise<void> {
  for (let left = SEARCHES - 1; left >= 0; left -= 1) {
    const { status, headers } = await ask('GET', '/leads?search=ada');
    expect([status, /r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]]).toEqual([200, String(left)]);
  }
}

/** Until the window ends, in at most a minute. */
async function expectRefusedSearch(): Promise<void> {
  const { status, headers } = await ask('GET', '/leads?search=ada');
  expect(status).toBe(429);
  expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
}

it('tokens follow the clock, and are valid again once it is correct', async () => {
  setClock('+0');
  const old = await getToken(base, external.credentials);
  const revoked = await getToken(base, external.credentials);
  expect([await me(old), await me(revoked)]).toEqual([200, 200]);
  const { client_id, client_secret } = external.credentials;
  await call('', 'POST', `${base}/auth/revoke`, { token: revoked, client_id, client_secret });
  setClock('+1h');
  await sleep(1_000);
  const expired = await call(old, 'GET', `${base}/auth/me`);
  expect(expired.body.code).toBe('token_expired');
  expect(await me(await getToken(base, external.credentials))).toBe(200);
  setClock('-1h');
  await until(async () => (await me(old)) === 200, 15);
  expect(await me(await getToken(base, external.credentials))).toBe(200);
  expect(await me(revoked)).toBe(401);
});

it('rate limits last a minute, whether the clock jumps forwards or backwards', async () => {
  setClock('+0');
  await exhaustSearches();
  for (const offset of ['+1h', '+0', '-1h', '+0'] as const) {
    setClock(offset);
    await expectRefusedSearch();
  }
});

it('a failed delivery is retried in time, whether the clock jumps forwards or backwards', async () => {
  for (const offset of ['+1h', '-1h'] as const) {
    setClock(offset);
    await expectRetry();
  }
});

it('an Idempotency-Key still belongs to the same request after the clock has jumped', async () => {
  const send = () => ask('POST', '/contacts', { name: 'Ada' }, { 'Idempotency-Key': 'clock' });
  const ids = [];
  for (const offset of ['+0', '+1h', '-1h'] as const) {
    setClock(offset);
    ids.push(((await send()).body.data as { id: string }).id);
  }
  expect(new Set(ids).size).toBe(1);
});

it('all requests were answered meanwhile, and each lead exists once, with one event', async () => {
  setClock('+0');
  await traffic.stop();
  expect(traffic.failed).toEqual([]);
  await expectKeptOnce(server.url, token, traffic);
  const names: unknown[] = [];
  for (let after = ''; ; ) {
    const { body } = await ask(
      'GET',
      `/events?event_types=contact.created&per_page=500${after && `&cursor=${after}`}`,
    );
    const { data, meta } = body as {
      data: { data: { object: { name: string } } }[];
      meta: { next_cursor: string; has_more: boolean };
    };
    names.push(...data.map(({ data }) => data.object.name));
    if (!meta.has_more) break;
    after = meta.next_cursor;
  }
  expect(names.filter((name) => name !== 'Ada').toSorted()).toEqual(traffic.created.toSorted());
  for (const times of sent.values()) expect(times.length).toBeLessThanOrEqual(2);
  expect(await server.stop()).toBe(0);
});
