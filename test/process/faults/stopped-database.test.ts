import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ensureDatabase } from '../../../src/db/migrate.ts';
import { type EmbeddedServer, startEmbedded } from '../../../src/embedded-postgres/server.ts';
import { type Receiver, startReceiver, until } from '../../support/deliveries.ts';
import { expectKept, RECOVERY, startLoad, TRUST } from '../../support/load.ts';
import {
  call,
  cleanUp,
  getToken,
  newClient,
  newDataDir,
  postmaster,
  preparedDataDir,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { signalFamily } from '../../support/processes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** So long PostgreSQL stands still: longer than any request may wait (milliseconds). */
const STOPPED = 25_000;

let dataDir: string;
let postgres: EmbeddedServer;
let receiver: Receiver;
let server: RunningServer;
let token: string;

/** One of its own, on which no other test relies. */
beforeAll(async () => {
  dataDir = preparedDataDir();
  postgres = await startEmbedded(dataDir);
  for (const name of ['production', 'sandbox']) await ensureDatabase(postgres.url('postgres'), name);
  receiver = await startReceiver();
  const env = {
    ...unlimited,
    DATABASE_URL: postgres.url('production'),
    SANDBOX_DATABASE_URL: postgres.url('sandbox'),
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: newDataDir(),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  server = await startServer(env);
  token = await getToken(`${server.url}/v1`, await newClient(env.DATABASE_URL));
  const webhook = { url: receiver.url, event_types: ['lead.created'] };
  expect((await call(token, 'POST', `${server.url}/v1/webhooks`, webhook)).status).toBe(201);
});

afterAll(async () => {
  await server?.stop();
  await receiver?.close();
  await postgres?.stop();
  await cleanUp();
});

function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  signalFamily(postmaster(dataDir) ?? 0, name);
}

it('when PostgreSQL stands still, requests are answered, and 17 s after it goes on all is well', async () => {
  const load = startLoad(server.url, token);
  await sleep(1_500);
  signal('SIGSTOP');
  const stopped = performance.now();
  await sleep(STOPPED);
  signal('SIGCONT');
  const goesOn = performance.now();
  const well = goesOn + RECOVERY;
  await load.seen(well);
  await load.stop();
  expectKept(load, well);
  const meanwhile = load.answers.filter(({ at, ms }) => at > stopped + TRUST && at + ms < goesOn);
  expect(meanwhile.filter(({ what }) => what === 'readyz').length).toBeGreaterThan(10);
  expect(meanwhile.filter(({ status }) => status < 300)).toEqual([]);
  // The storage of inbound hooks is empty, and no line says otherwise.
  expect(server.output.stderr).not.toContain('nearly full');
  // What was answered 201 is there, and the webhook has heard of it, once the jobs of the lost connections are taken again.
  const created = load.answers.flatMap(
    ({ what, status, id }) => (what === 'create' && status === 201 && id) || [],
  );
  expect(created.length).toBeGreaterThan(20);
  for (const id of created) {
    expect((await call(token, 'GET', `${server.url}/v1/leads/${id}`)).status).toBe(200);
  }
  const heard = () => new Set(receiver.received.map(({ event }) => event.data.object.id));
  await until(() => created.every((id) => heard().has(id)), 60);
});
