import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { type Receiver, startReceiver, until } from '../../support/deliveries.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { type Network, startNetwork } from '../../support/network.ts';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type Run,
  type RunningServer,
  run,
  startFlags,
  startServer,
  unlimited,
} from '../../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** How long the worker's connections swallow all (milliseconds). */
const OUTAGE = 60_000;
const INTERVAL = 2_000;

let external: External;
let network: Network;
let receiver: Receiver;
let api: RunningServer;
let worker: Run;
let token: string;
/** How long the receiver takes (milliseconds). */
let slowness = 0;

beforeAll(async () => {
  external = await externalDatabases();
  network = await startNetwork(inject('serverUrl'));
  receiver = await startReceiver((_, res) => void setTimeout(() => res.writeHead(204).end(), slowness));
  const env = { ...external.env, ...unlimited, WEBHOOK_ALLOW_PRIVATE: 'true' };
  worker = run(process.execPath, [...startFlags, 'src/server.ts'], {
    ...env,
    ROLE: 'worker',
    DATABASE_URL: network.through(external.env.DATABASE_URL),
    SANDBOX_DATABASE_URL: network.through(external.env.SANDBOX_DATABASE_URL),
  });
  api = await startServer({ ...env, ROLE: 'api' });
  token = await getToken(`${api.url}/v1`, external.credentials);
  const webhook = { url: receiver.url, event_types: ['lead.created'] };
  expect((await call(token, 'POST', `${api.url}/v1/webhooks`, webhook)).status).toBe(201);
});

afterAll(async () => {
  await cleanUp();
  await receiver.close();
  await network.close();
});

const created: string[] = [];

async function createLead(): Promise<void> {
  const lead = { name: 'Ada', email: uniqueEmail() };
  const { status, body } = await call(token, 'POST', `${api.url}/v1/leads`, lead);
  expect(status).toBe(201);
  created.push((body.data as { id: string }).id);
}

const received = () => receiver.received.map(({ event }) => event.data.object.id);

it('a worker without its database for a minute goes on by itself, and sends nothing twice', async () => {
  await createLead();
  await until(() => received().length === 1, 20);
  slowness = 1_000;
  for (let lead = 0; lead < 20; lead += 1) await createLead();
  await until(() => received().length === 21);
  // While the receiver has not answered yet, so that the worker can't record that it has.
  network.freezeNew(true);
  network.freeze();
  slowness = 0;
  const end = performance.now() + OUTAGE;
  while (performance.now() < end) {
    await createLead();
    await sleep(INTERVAL);
  }
  expect(received()).toHaveLength(21);
  network.freezeNew(false);
  await until(() => received().length >= created.length, 15);
  await createLead();
  await until(() => received().length >= created.length, 5);
  // Longer than a lease, after which what seems unfinished would be sent again.
  await sleep(14_000);
  expect(received().toSorted()).toEqual(created.toSorted());
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
  expect(await api.stop()).toBe(0);
});
