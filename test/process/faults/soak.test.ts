/**
 * Mixed traffic while PostgreSQL, the network, Redis, receivers and the service itself fail in turn. Here each fault happens
 * once. `npm run soak` repeats them for ten minutes (SOAK_MINUTES), and then also compares how much memory the service has.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ensureDatabase } from '../../../src/db/migrate.ts';
import { type EmbeddedServer, startEmbedded } from '../../../src/embedded-postgres/server.ts';
import { freePort } from '../../../src/process/free-port.ts';
import { type Receiver, startReceiver, until } from '../../support/deliveries.ts';
import { type Network, startNetwork } from '../../support/network.ts';
import {
  cleanUp,
  cliJson,
  getToken,
  newClient,
  newDataDir,
  postmaster,
  preparedDataDir,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { residentBytes, signalFamily } from '../../support/processes.ts';
import { missing } from '../../support/programs.ts';
import { createRedis, type Redis } from '../../support/redis.ts';
import { SoakTraffic } from '../../support/soak-traffic.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 0);
vi.setConfig({ testTimeout: (minutes + 5) * 60_000, hookTimeout: 60_000 });

const MIB = 2 ** 20;
/** Traffic without a fault, before and after each one. Milliseconds. */
const CALM = minutes > 0 ? 5_000 : 1_000;
/** The service must work again so long after a fault. Milliseconds. */
const RECOVERY = 10_000;
/** The first minute fills caches and the heap. Seconds. */
const WARM_UP = 60;
const skipped = missing('redis-server');

let dataDir: string;
let postgres: EmbeddedServer;
let network: Network;
let redis: Redis;
let receiver: Receiver;
let receiverIs: 'up' | 'failing' | 'hanging' = 'up';
/** Ids of the events that the receiver accepted. */
const delivered = new Set<string>();
let env: Record<string, string>;
let server: RunningServer;
let credentials: Awaited<ReturnType<typeof newClient>>;
let traffic: SoakTraffic;

beforeAll(async () => {
  if (skipped !== undefined) return;
  dataDir = preparedDataDir();
  postgres = await startEmbedded(dataDir);
  for (const name of ['production', 'sandbox']) await ensureDatabase(postgres.url('postgres'), name);
  network = await startNetwork(postgres.url('postgres'));
  redis = await createRedis();
  await redis.start();
  receiver = await startReceiver(({ headers }, res) => {
    if (receiverIs === 'hanging') return;
    if (receiverIs === 'failing') return void res.writeHead(503).end();
    delivered.add(String(headers['webhook-id']));
    res.writeHead(204).end();
  });
  env = {
    ...unlimited,
    DATABASE_URL: network.through(postgres.url('production')),
    SANDBOX_DATABASE_URL: network.through(postgres.url('sandbox')),
    REDIS_URL: redis.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: newDataDir(),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    PORT: String(await freePort()),
  };
  server = await startServer(env);
  credentials = await newClient(postgres.url('production'));
  traffic = new SoakTraffic(`${server.url}/v1`, () => getToken(`${server.url}/v1`, credentials));
});
beforeEach(({ skip }) => {
  if (skipped !== undefined) skip(skipped);
});
afterAll(async () => {
  await server?.stop();
  await receiver?.close();
  await redis?.close();
  await network?.close();
  await postgres?.stop();
  await cleanUp();
});

const isReady = () =>
  fetch(`${server.url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

async function restart(signal: NodeJS.Signals, code: number | null): Promise<void> {
  server.child.kill(signal);
  expect(await server.exited).toBe(code);
  server = await startServer(env);
}

/** Shorter than the pause before the second attempt. The third one comes minutes later. */
async function setReceiver(state: typeof receiverIs): Promise<void> {
  receiverIs = state;
  await sleep(3_500);
  receiverIs = 'up';
}

/** Faults during which requests may fail. The first two end the process, so they happen once. */
const outages: [name: string, inject: () => Promise<unknown>][] = [
  ['SIGTERM and start', () => restart('SIGTERM', 0)],
  ['kill -9 and start', () => restart('SIGKILL', null)],
  ['established connections carry nothing more', async () => network.freeze()],
  [
    'PostgreSQL stands still',
    async () => {
      const pid = postmaster(dataDir) ?? 0;
      signalFamily(pid, 'SIGSTOP');
      await sleep(8_000);
      signalFamily(pid, 'SIGCONT');
    },
  ],
  [
    'the network carries nothing',
    async () => {
      network.freezeNew(true);
      network.freeze();
      await sleep(8_000);
      expect(await isReady()).toBe(false);
      network.freezeNew(false);
    },
  ],
  [
    'the service stands still',
    async () => {
      server.child.kill('SIGSTOP');
      await sleep(4_000);
      server.child.kill('SIGCONT');
    },
  ],
];

/** Faults that clients must not notice. */
const nuisances: [name: string, inject: () => Promise<unknown>][] = [
  ['the receiver fails', () => setReceiver('failing')],
  ['the receiver hangs', () => setReceiver('hanging')],
  [
    'Redis is killed',
    async () => {
      await redis.kill();
      await sleep(3_000);
      await redis.start();
    },
  ],
  [
    'the signing key changes',
    async () => {
      await cliJson(env, 'signing-keys', 'rotate', '--environment', 'production');
      const tokens = Array.from({ length: 40 }, () => getToken(`${server.url}/v1`, credentials));
      expect((await Promise.all(tokens)).every((token) => token !== undefined)).toBe(true);
    },
  ],
];

/** Samples the resident memory of the service each second. */
function watchMemory() {
  const samples: { pid: number | undefined; bytes: number }[] = [];
  const timer = setInterval(() => {
    const { pid, exitCode, signalCode } = server.child;
    const bytes = exitCode === null && signalCode === null ? residentBytes(pid) : Number.NaN;
    // A process that was just killed has none.
    if (!Number.isNaN(bytes)) samples.push({ pid, bytes });
  }, 1_000);
  return {
    samples,
    stop() {
      clearInterval(timer);
      // Only the last process lives long enough to compare.
      return samples.filter(({ pid }) => pid === server.child.pid).map(({ bytes }) => bytes);
    },
  };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

it('nothing acknowledged is lost or duplicated, each event is delivered, and memory does not grow', async () => {
  await traffic.call('POST', '/webhooks', { url: receiver.url, event_types: ['*'] });
  const end = performance.now() + minutes * 60_000;
  const memory = watchMemory();
  traffic.start();
  await sleep(CALM);
  let round = [...outages, ...nuisances];
  do {
    for (const [name, inject] of round) {
      const disrupts = outages.some(([outage]) => outage === name);
      if (disrupts) traffic.mayFailUntil = Number.POSITIVE_INFINITY;
      traffic.during = name;
      await inject();
      await until(isReady, RECOVERY / 1_000);
      if (disrupts) traffic.mayFailUntil = performance.now() + RECOVERY;
      await sleep(CALM);
    }
    round = [...outages.slice(2), ...nuisances];
  } while (performance.now() < end);
  // The last fault must be over, and so must be the time to recover from it.
  await sleep(Math.max(0, traffic.mayFailUntil - performance.now()) + 3_000);
  await traffic.stop();
  const bytes = memory.stop();
  console.log(traffic.summary, `${Math.round(Math.max(...bytes) / MIB)} MiB at most`);

  expect(traffic.violations).toEqual([]);
  await traffic.expectKept();
  await expectDelivered();
  expect(Math.max(...memory.samples.map(({ bytes }) => bytes)) / MIB).toBeLessThan(512);
  const warm = bytes.slice(WARM_UP);
  const third = Math.floor(warm.length / 3);
  // A shorter run says nothing about growth.
  if (minutes >= 5) expect(median(warm.slice(-third)) - median(warm.slice(0, third))).toBeLessThan(64 * MIB);
});

/** Whatever failed twice has its third attempt minutes later, so ask for it now. */
async function expectDelivered(): Promise<void> {
  const [webhook] = (await traffic.call('GET', '/webhooks')) as { id: string }[];
  const deliveries = `/webhooks/${webhook?.id}/deliveries`;
  const late = (await traffic.list(`${deliveries}?status=pending`)) as {
    id: string;
    attempt_count: number;
  }[];
  for (const { id, attempt_count } of late)
    if (attempt_count > 1) await traffic.call('POST', `${deliveries}/${id}/redeliver`);
  const events = await traffic.events();
  await until(() => events.every(({ id }) => delivered.has(id)), 60);
}
