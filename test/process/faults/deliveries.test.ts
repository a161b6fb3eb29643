import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { TestClient } from '../../support/client.ts';
import { countPending, type Receiver, startReceiver, subscribe, until } from '../../support/deliveries.ts';
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

vi.setConfig({ testTimeout: 90_000 });

let external: External;
let api: RunningServer;
let worker: Run;
let receiver: Receiver;
/** Response time of the receiver. Milliseconds. */
let slowness = 20;
/** The receiver doesn't answer after this many requests. */
let patience = 60;
let client: TestClient;
let webhook: string;
/** Maximum concurrent deliveries to one webhook. */
const MAX_UNDER_WAY = 64;
let token: string;

beforeAll(async () => {
  external = await externalDatabases();
  receiver = await startReceiver((_, res) => {
    if (receiver.received.length <= patience) setTimeout(() => res.writeHead(204).end(), slowness);
  });
  api = await startServer({
    ...external.env,
    ...unlimited,
    ROLE: 'api',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  token = await getToken(`${api.url}/v1`, external.credentials);
  client = new TestClient(`${api.url}/v1`, { Authorization: `Bearer ${token}` });
  webhook = (await subscribe(client, receiver.url)).id;
});

afterAll(async () => {
  await receiver.close();
  await cleanUp();
});

async function startWorker(): Promise<Run> {
  const started = run(process.execPath, [...startFlags, 'src/server.ts'], {
    ...external.env,
    ROLE: 'worker',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  await until(() => started.output.stdout !== '' || started.child.exitCode !== null, 30);
  expect(started.output).toEqual({
    stdout: 'Lead Pipeline API: delivering webhooks, not listening on any port.\n',
    stderr: '',
  });
  return started;
}

let leads = 0;

/** Creates leads concurrently. Returns the ids of those that got 201. */
async function createLeads(count: number): Promise<string[]> {
  const created: string[] = [];
  const client = async () => {
    for (let left = count / 10; left > 0; left -= 1) {
      leads += 1;
      const lead = { name: 'Ada', email: `ada${leads}@example.com` };
      const { status, body } = await call(token, 'POST', `${api.url}/v1/leads`, lead);
      if (status === 201) created.push((body.data as { id: string }).id);
    }
  };
  await Promise.all(Array.from({ length: 10 }, client));
  return created;
}

const arrived = () => new Set(receiver.received.map(({ event }) => event.data.object.id));
const areSettled = async () => (await countPending(client, webhook)) === 0;

it('a process that only answers requests leaves deliveries to the workers', async () => {
  expect(await createLeads(150)).toHaveLength(150);
  await sleep(300);
  expect(receiver.received).toEqual([]);
});

it('kill -9 of a worker in the middle of 150 deliveries loses none of them, and another worker takes over within 15 seconds', async () => {
  const killed = await startWorker();
  await until(() => receiver.received.length > patience);
  killed.child.kill('SIGKILL');
  const killedAt = performance.now();
  expect(await killed.exited).toBeNull();
  patience = Number.POSITIVE_INFINITY;
  worker = await startWorker();
  await until(() => arrived().size === 150, 30);
  expect(performance.now() - killedAt).toBeLessThan(15_000);
  await until(areSettled);
  // Twice only what was under way at that moment.
  expect(receiver.received.length).toBeGreaterThan(150);
  expect(receiver.received.length - 150).toBeLessThanOrEqual(MAX_UNDER_WAY);
});

it('deliveries continue after a restart of the database', async () => {
  const database = new URL(external.env.DATABASE_URL).pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject('serverUrl') });
  await admin.connect();
  const before = receiver.received.length;
  const creating = createLeads(100);
  await until(() => receiver.received.length > before + 20);
  await admin.query(`alter database ${database} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
  await sleep(700);
  await admin.query(`alter database ${database} allow_connections true`);
  await admin.end();
  const created = await creating;
  // What was taken by an answer that got lost is taken again when its lease is over.
  await until(areSettled, 60);
  expect(created.filter((id) => !arrived().has(id))).toEqual([]);
  const later = await createLeads(10);
  await until(() => later.every((id) => arrived().has(id)));
});

it('a worker that is told to stop finishes its running deliveries', async () => {
  await until(areSettled);
  slowness = 800;
  const before = receiver.received.length;
  await createLeads(10);
  await until(() => receiver.received.length === before + 10);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
  expect(await areSettled()).toBe(true);
  expect(receiver.received).toHaveLength(before + 10);
  expect(await api.stop()).toBe(0);
});
