import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BehindNetwork, startBehindNetwork } from '../../support/behind-network.ts';
import { startReceiver, until } from '../../support/deliveries.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { expectKept, RECOVERY, startLoad, TRUST } from '../../support/load.ts';
import { call, getToken, newClient } from '../../support/process.ts';
import { uuidOf } from '../../support/webhooks.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

interface Service extends BehindNetwork {
  /** A webhook receives a new lead, and a client that is disabled elsewhere is rejected within a second. */
  expectBackground(): Promise<void>;
}

/** One for each of the outages that happen at the same time. */
let services: [Service, Service];

beforeAll(async () => {
  services = await Promise.all([start(), start()]);
});

afterAll(async () => {
  for (const service of services) await service.close();
});

async function start(): Promise<Service> {
  const receiver = await startReceiver();
  const service = await startBehindNetwork({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const { base, token, databaseUrl } = service;
  const create = async (path: string, body: object) => {
    const answer = await call(token, 'POST', base + path, body);
    expect(answer.status).toBe(201);
    return answer.body.data as { id: string };
  };
  await create('/webhooks', { url: receiver.url, event_types: ['lead.created'] });
  return {
    ...service,
    async expectBackground() {
      const { id } = await create('/leads', { name: 'Ada', email: uniqueEmail() });
      await until(() => receiver.received.some(({ event }) => event.data.object.id === id), 5);
      const other = await getToken(base, await newClient(databaseUrl));
      const me = () => call(other, 'GET', `${base}/auth/me`);
      const { client_id } = (await me()).body.data as { client_id: string };
      expect((await me()).status).toBe(200);
      const db = new pg.Client({ connectionString: databaseUrl });
      await db.connect();
      await db.query('update api_clients set disabled_at = now() where id = $1', [uuidOf(client_id)]);
      await db.end();
      await sleep(1_000);
      expect((await me()).status).toBe(401);
    },
    async close() {
      await service.close();
      await receiver.close();
    },
  };
}

describe.concurrent('when the network drops all packets of the open connections', () => {
  it('under load, requests are answered, and the service recovers within 17 s', {
    concurrent: false,
  }, async () => {
    const { network, server, token, expectBackground } = services[0];
    const load = startLoad(server.url, token);
    await sleep(1_000);
    network.freeze();
    const well = performance.now() + RECOVERY;
    await load.seen(well);
    await load.stop();
    expect(load.answers.some(({ status }) => status === 503)).toBe(true);
    expectKept(load, well);
    await expectBackground();
  });

  it('while it is idle, the first requests are served', { concurrent: false }, async () => {
    const { network, server, token, expectBackground } = services[0];
    await sleep(2_000);
    network.freeze();
    await sleep(RECOVERY);
    const began = performance.now();
    const load = startLoad(server.url, token);
    await load.seen(began);
    await load.stop();
    expectKept(load, began);
    await expectBackground();
  });
});

it.concurrent('when the network drops packets of new connections as well, requests get 503, the service is not ready, and it recovers within 17 s', async () => {
  const { network, server, token, expectBackground } = services[1];
  const load = startLoad(server.url, token);
  await sleep(1_000);
  network.freezeNew(true);
  network.freeze();
  const frozen = performance.now();
  await sleep(20_000);
  network.freezeNew(false);
  const released = performance.now();
  const well = released + RECOVERY;
  await load.seen(well);
  await load.stop();
  expectKept(load, well);
  const meanwhile = load.answers.filter(({ at, ms }) => at > frozen + TRUST && at + ms < released);
  expect(meanwhile.filter(({ status }) => status < 300)).toEqual([]);
  expect(meanwhile.filter(({ what }) => what === 'readyz').length).toBeGreaterThan(5);
  await expectBackground();
});

it('the services have survived all of it, and stop', async () => {
  expect(await Promise.all(services.map(({ server }) => server.stop()))).toEqual([0, 0]);
});
