import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver, until } from '../../support/deliveries.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { type Api, type Fleet, startFleet } from '../../support/fleet.ts';
import { holdRow } from '../../support/locks.ts';
import { call, cleanUp, getToken, newClient } from '../../support/process.ts';
import { missing } from '../../support/programs.ts';
import { expectKeptOnce, startTraffic } from '../../support/traffic.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const skipped = missing('nginx', 'redis-server');
/** Time until nginx uses a process again that refused a connection, and has seen it answer. Milliseconds. */
const RETURN = 4_000;
const SEARCHES = 5;
const IN_MEMORY = 'Rate limits are counted in memory';
const SHARED = 'Rate limits are shared again';
/** How long nginx waits for an answer. Milliseconds. */
const READ_TIMEOUT = 8_000;
/** How long an open transaction of a frozen process blocks others, with a margin. Milliseconds. */
const HELD = 12_000;
/** Clients that keep writing while a process is frozen. */
const KEYED = 4;

let fleet: Fleet;
let token: string;
let receiver: Receiver;

beforeAll(async () => {
  if (skipped !== undefined) return;
  // So that both workers take some.
  receiver = await startReceiver((_, res) => void setTimeout(() => res.writeHead(204).end(), 20));
  const env = { RATE_LIMIT_SEARCH: String(SEARCHES) };
  fleet = await startFleet({ apis: 3, workers: 2, readTimeout: READ_TIMEOUT / 1_000, env });
  token = await getToken(`${fleet.url}/v1`, fleet.external.credentials);
});
beforeEach(({ skip }) => {
  if (skipped !== undefined) skip(skipped);
});
afterAll(async () => {
  await cleanUp();
  await fleet?.close();
  await receiver?.close();
});

/** Sends the request to all processes at the same time. */
const askAll = (...request: [method: string, path: string, body?: object, headers?: object]) =>
  Promise.all(fleet.apis.map((api) => fleet.ask(api, token, ...request)));

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

/** How often each process has logged this. */
const said = (text: string) => fleet.apis.map(({ server }) => server.output.stderr.split(text).length - 1);
const allShare = () => said(SHARED).join() === said(IN_MEMORY).join();

/**
 * Whether the processes give a new client one quota. More is answered only while a process says that it counts by itself,
 * as it does when a busy machine keeps it from Redis.
 */
async function giveOneQuota(): Promise<boolean> {
  await until(allShare, 10);
  const before = said(IN_MEMORY).join();
  const own = await getToken(`${fleet.url}/v1`, await newClient(fleet.external.env.DATABASE_URL));
  const answers: { status: number }[] = [];
  for (let round = 0; round < SEARCHES; round += 1) {
    const search = fleet.apis.map((api) => fleet.ask(api, own, 'GET', '/v1/leads?search=ada'));
    answers.push(...(await Promise.all(search)));
  }
  const expected = [...Array(SEARCHES).fill(200), ...Array(2 * SEARCHES).fill(429)];
  if (statuses(answers).sort().join() === expected.join()) return true;
  await until(() => said(IN_MEMORY).join() !== before, 2);
  return false;
}

describe('three processes that answer requests', () => {
  it('take the same token, and refuse it within a second after it was revoked at one of them', async () => {
    const { client_id, client_secret } = fleet.external.credentials;
    const revoked = await getToken(`${fleet.url}/v1`, fleet.external.credentials);
    const use = () => Promise.all(fleet.apis.map((api) => fleet.ask(api, revoked, 'GET', '/v1/auth/me')));
    // Asked twice, so that each of them remembers it.
    expect([...statuses(await use()), ...statuses(await use())]).toEqual(Array(6).fill(200));
    const body = { token: revoked, client_id, client_secret };
    expect((await call('', 'POST', `${fleet.url}/v1/auth/revoke`, body)).status).toBe(200);
    await sleep(1_000);
    const answers = await use();
    expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill('token_revoked'));
  });

  it('give a client one quota', async () => {
    await until(giveOneQuota, 20);
  });

  it('run requests with the same Idempotency-Key once, even at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const key = crypto.randomUUID();
      const answers = await askAll('POST', '/v1/contacts', { name: key }, { 'Idempotency-Key': key });
      expect(statuses(answers)).toEqual([201, 201, 201]);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      const replayed = answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === 'true');
      expect(replayed).toHaveLength(2);
    }
    const [list] = await askAll('GET', '/v1/contacts');
    expect(list?.body.meta).toMatchObject({ total: 10 });
  });
});

it('a body that is too large is refused, and nginx takes no process for dead', async () => {
  const contact = { name: 'x'.repeat(20 * 2 ** 20) };
  for (let time = 0; time < 3; time += 1) {
    expect((await call(token, 'POST', `${fleet.url}/v1/contacts`, contact)).status).toBe(413);
    expect((await call(token, 'GET', `${fleet.url}/v1/auth/me`)).status).toBe(200);
  }
});

describe('two workers', () => {
  it('deliver each of 300 events once, whichever process has recorded it', async () => {
    const webhook = { url: receiver.url, event_types: ['lead.created'] };
    expect((await call(token, 'POST', `${fleet.url}/v1/webhooks`, webhook)).status).toBe(201);
    const items = () => Array.from({ length: 50 }, () => ({ name: 'Ada', email: uniqueEmail() }));
    const create = (api: Api) => fleet.ask(api, token, 'POST', '/v1/leads/batch/create', { items: items() });
    const answers = await Promise.all([...fleet.apis, ...fleet.apis].map(create));
    const created = answers.flatMap(({ body }) => (body.data as { id: string }[]).map(({ id }) => id));
    expect(created).toHaveLength(300);
    await until(() => receiver.received.length >= 300, 30);
    // Longer than a poll, in which one of them would be taken again.
    await sleep(1_500);
    expect(receiver.received.map(({ event }) => event.data.object.id).sort()).toEqual(created.sort());
  });
});

describe('when Redis is killed', () => {
  it('requests are served, each process logs it once, and quotas are shared again by themselves', async () => {
    const traffic = startTraffic(fleet.url, token, { keyed: 2, bare: 2 });
    await sleep(300);
    await fleet.redis.kill();
    await sleep(2_000);
    expect(Math.min(...said(IN_MEMORY))).toBe(1);
    await fleet.redis.start();
    await until(allShare, 10);
    await traffic.stop();
    expect(traffic.failed).toEqual([]);
    await expectKeptOnce(fleet.url, token, traffic);
    await until(giveOneQuota, 20);
  });
});

describe('while one of three processes is frozen', () => {
  it('the others answer, and finish the writes it had begun; afterwards it answers correctly', async () => {
    const [well, frozen] = fleet.apis as [Api, Api];
    const { client_id, client_secret } = fleet.external.credentials;
    const revoked = await getToken(`${fleet.url}/v1`, fleet.external.credentials);
    for (let time = 0; time < 2; time += 1) await fleet.ask(frozen, revoked, 'GET', '/v1/auth/me');
    const name = crypto.randomUUID();
    const { body } = await fleet.ask(well, token, 'POST', '/v1/contacts', { name });
    const path = `/v1/contacts/${(body.data as { id: string }).id}`;
    const newest = await fleet.ask(well, token, 'GET', '/v1/events?cursor=latest');
    const traffic = startTraffic(fleet.url, token, { keyed: KEYED, bare: 0 });
    const row = await holdRow(fleet.external.env.DATABASE_URL, 'contacts', name);
    const begun = fleet.ask(frozen, token, 'PATCH', path, { name: 'Begun' });
    await row.isAwaited();
    frozen.server.child.kill('SIGSTOP');
    await row.letGo();
    const since = performance.now();
    const revocation = { token: revoked, client_id, client_secret };
    await until(
      async () => (await call('', 'POST', `${fleet.url}/v1/auth/revoke`, revocation)).status === 200,
      10,
    );
    const write = () => fleet.ask(well, token, 'PATCH', path, { name: 'Written' });
    await until(async () => (await write()).status === 200, HELD / 1_000);
    const { next_cursor } = newest.body.meta as { next_cursor: string };
    await until(async () => {
      const { body } = await fleet.ask(
        well,
        token,
        'GET',
        `/v1/events?cursor=${next_cursor}&event_types=contact.updated`,
      );
      return JSON.stringify(body.data).includes('Written');
    }, HELD / 1_000);
    expect(performance.now() - since).toBeLessThan(HELD);
    frozen.server.child.kill('SIGCONT');
    expect((await fleet.ask(frozen, revoked, 'GET', '/v1/auth/me')).status).not.toBe(200);
    expect((await begun).status).toBe(503);
    await until(async () => (await fleet.ask(frozen, token, 'GET', path)).status === 200, 10);
    expect((await fleet.ask(frozen, revoked, 'GET', '/v1/auth/me')).body.code).toBe('token_revoked');
    const { body: stored } = await fleet.ask(frozen, token, 'GET', path);
    expect(stored.data).toMatchObject({ name: 'Written' });
    await traffic.stop();
    // nginx tries the frozen process again every two seconds. A request that it got a moment before it went on may meet a
    // connection that PostgreSQL has closed meanwhile. Each client has at most one such request.
    const others = traffic.failed.filter(
      (failure) => !failure.startsWith('POST /contacts: 503 The service cannot reach'),
    );
    expect(others).toEqual([]);
    expect(traffic.failed.length).toBeLessThanOrEqual(KEYED);
    expect(traffic.slowest()).toBeLessThan(2 * READ_TIMEOUT);
    await expectKeptOnce(fleet.url, token, traffic);
  });
});

describe('when one of three processes is killed', () => {
  it('nginx repeats idempotent requests at another one', async () => {
    const traffic = startTraffic(fleet.url, token, { keyed: 12, bare: 0 });
    await sleep(300);
    expect(await fleet.restart(fleet.apis[2] as Api, 'SIGKILL')).toBeNull();
    await traffic.stop();
    expect(traffic.failed).toEqual([]);
    await expectKeptOnce(fleet.url, token, traffic);
  });
});

describe('a rolling restart', () => {
  it('answers every request', async () => {
    const traffic = startTraffic(fleet.url, token, { keyed: 2, bare: 2 });
    // The tests before have killed and frozen processes.
    await sleep(RETURN);
    for (const api of fleet.apis) {
      expect(await fleet.restart(api)).toBe(0);
      await sleep(RETURN);
    }
    for (const worker of fleet.workers) worker.child.kill('SIGTERM');
    await Promise.all(fleet.workers.map(async ({ exited }) => expect(await exited).toBe(0)));
    await traffic.stop();
    expect(traffic.failed).toEqual([]);
    expect(traffic.answered).toBeGreaterThan(300);
    await expectKeptOnce(fleet.url, token, traffic);
  });

  it('of the only process left is a 503 that says so', async () => {
    expect(await Promise.all(fleet.apis.map(({ server }) => server.stop()))).toEqual([0, 0, 0]);
    for (const given of [{}, { 'Idempotency-Key': 'last' }] as Record<string, string>[]) {
      const contact = { name: 'Ada' };
      const { status, headers, body } = await call(token, 'POST', `${fleet.url}/v1/contacts`, contact, given);
      expect([status, body.code, Number(headers.get('Retry-After'))]).toEqual([503, 'unavailable', 2]);
      expect(body.request_id).toBe(headers.get('X-Request-Id'));
    }
  });
});
