import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Receiver, startReceiver, until } from '../support/deliveries.ts';
import { uniqueEmail } from '../support/factories.ts';
import { expectKept, startLoad, TRUST } from '../support/load.ts';
import { type Network, startNetwork } from '../support/network.ts';
import {
  call,
  cleanUp,
  cliJson,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** So long after new connections work all is well again (milliseconds). */
const RECOVERY = 10_000;

let external: External;
let network: Network;
let receiver: Receiver;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  external = await externalDatabases();
  network = await startNetwork(inject('serverUrl'));
  receiver = await startReceiver();
  server = await startServer({
    ...external.env,
    ...unlimited,
    DATABASE_URL: network.through(external.env.DATABASE_URL),
    SANDBOX_DATABASE_URL: network.through(external.env.SANDBOX_DATABASE_URL),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  token = await getToken(`${server.url}/v1`, external.credentials);
  const webhook = { url: receiver.url, event_types: ['lead.created'] };
  expect((await call(token, 'POST', `${server.url}/v1/webhooks`, webhook)).status).toBe(201);
});

afterAll(async () => {
  await cleanUp();
  await receiver.close();
  await network.close();
});

async function createLead(): Promise<string> {
  const lead = { name: 'Ada', email: uniqueEmail() };
  const { status, body } = await call(token, 'POST', `${server.url}/v1/leads`, lead);
  expect(status).toBe(201);
  return (body.data as { id: string }).id;
}

/** A webhook hears of a lead, and a client disabled elsewhere is refused within a second. */
async function expectBackground(): Promise<void> {
  const id = await createLead();
  await until(() => receiver.received.some(({ event }) => event.data.object.id === id), 5);
  const client = await cliJson<External['credentials']>(
    external.env,
    ...['clients', 'create', '--environment', 'production', '--name', 'Other'],
  );
  const other = await getToken(`${server.url}/v1`, client);
  const ask = async () => (await call(other, 'GET', `${server.url}/v1/auth/me`)).status;
  expect([await ask(), await ask()]).toEqual([200, 200]);
  const db = new pg.Client({ connectionString: external.env.DATABASE_URL });
  await db.connect();
  await db.query(`update api_clients set disabled_at = now() where name = 'Other'`);
  await db.end();
  await sleep(1_000);
  expect(await ask()).toBe(401);
}

describe('when the network swallows all that the open connections carry', () => {
  it('under load, requests are answered, and 10 s later all is well', async () => {
    const load = startLoad(server.url, token);
    await sleep(2_000);
    network.freeze();
    const well = performance.now() + RECOVERY;
    await sleep(RECOVERY + 3_000);
    await load.stop();
    expect(load.answers.some(({ status }) => status === 503)).toBe(true);
    expectKept(load, well);
    await expectBackground();
  });

  it('while nobody asks, the first ones who do are served', async () => {
    await sleep(2_000);
    network.freeze();
    await sleep(RECOVERY);
    const began = performance.now();
    const load = startLoad(server.url, token);
    await sleep(2_000);
    await load.stop();
    expectKept(load, began);
    await expectBackground();
  });
});

describe('when the network swallows what new connections carry as well', () => {
  it('requests are told 503, the service is not ready, and 10 s after it ends all is well', async () => {
    const load = startLoad(server.url, token);
    await sleep(1_000);
    network.freezeNew(true);
    network.freeze();
    const frozen = performance.now();
    await sleep(20_000);
    network.freezeNew(false);
    const released = performance.now();
    await sleep(RECOVERY + 3_000);
    await load.stop();
    expectKept(load, released + RECOVERY);
    const meanwhile = load.answers.filter(({ at, ms }) => at > frozen + TRUST && at + ms < released);
    expect(meanwhile.filter(({ status }) => status < 300)).toEqual([]);
    expect(meanwhile.filter(({ what }) => what === 'readyz').length).toBeGreaterThan(5);
    await expectBackground();
  });
});

it('the service has lived through all of it, and ends', async () => {
  expect(await server.stop()).toBe(0);
});
