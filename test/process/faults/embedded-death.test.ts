import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import {
  call,
  cleanUp,
  cliJson,
  credentialsOf,
  failedStart,
  getToken,
  isAlive,
  postmaster,
  preparedDataDir,
  type RunningServer,
  run,
  startServer,
} from '../../support/process.ts';

vi.setConfig({ testTimeout: 90_000 });
afterAll(cleanUp);

const dataDir = preparedDataDir();
const env = { DATA_DIR: dataDir, RATE_LIMIT_WRITE: '1000000', RATE_LIMIT_READ: '1000000' };
let running: RunningServer | undefined;

/** The service that the previous test left running, or a new one: it gives up after six deaths of PostgreSQL in a minute. */
async function theService(): Promise<RunningServer> {
  if (running?.child.exitCode !== null || running.child.signalCode !== null) running = await startServer(env);
  return running;
}

/** The port that PostgreSQL listens on. */
function portOf(): string | undefined {
  return readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[3];
}

/** A direct connection to PostgreSQL. */
async function connect(): Promise<pg.Client> {
  const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim();
  const client = new pg.Client({
    connectionString: `postgres://lead_pipeline:${password}@127.0.0.1:${portOf()}/postgres`,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The transaction of a command that seeds the sandbox, which has added rows. */
const SEEDING = `select from pg_stat_activity where datname = 'lead_pipeline_sandbox'
  and backend_xid is not null and query like '%_recordset%'`;

/** 10 s on an idle machine; other test files run at the same time. */
const RECOVERY = 20_000;

/** Creates leads from four concurrent clients until told to stop. Returns the answers; a 201 has the lead's id. */
async function load(server: RunningServer) {
  const { url } = server;
  const token = await getToken(`${url}/v1`, credentialsOf(dataDir).production);
  const ids: string[] = [];
  const failures: number[] = [];
  let stopped = false;
  const client = async () => {
    while (!stopped && server.child.exitCode === null) {
      const lead = { name: 'Ada', email: `${randomUUID()}@example.com` };
      const { status, body } = await call(token, 'POST', `${url}/v1/leads`, lead);
      if (status === 201) ids.push((body.data as { id: string }).id);
      else failures.push(status);
      await sleep(50);
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  await vi.waitFor(() => expect(ids.length).toBeGreaterThan(20), 10_000);
  const stop = async () => {
    stopped = true;
    await clients;
    for (const id of ids) expect((await call(token, 'GET', `${url}/v1/leads/${id}`)).status).toBe(200);
  };
  return { ids, failures, stop };
}

/** Kills only the postmaster, and checks that the service goes on under load. */
async function killUnderLoad(server: RunningServer): Promise<void> {
  const { ids, failures, stop } = await load(server);
  // The files of a cluster that was made just now are written at the next start, at whatever speed the disk has.
  const admin = await connect();
  await admin.query('checkpoint');
  await admin.end();
  const killed = postmaster(dataDir) ?? 0;
  const port = portOf();
  process.kill(killed, 'SIGKILL');
  const killedAt = performance.now();
  await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0), RECOVERY);
  const created = ids.length;
  await vi.waitFor(() => expect(ids.length).toBeGreaterThan(created + 20), RECOVERY);
  console.info(`Death to twenty more leads: ${((performance.now() - killedAt) / 1000).toFixed(1)} s`);
  await stop();
  expect(new Set(failures)).toEqual(new Set([503]));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(postmaster(dataDir)).not.toBe(killed);
  expect(portOf()).toBe(port);
  expect(server.child.exitCode).toBeNull();
}

/** A command that adds leads to the sandbox for longer than any test takes. */
function seed() {
  return run(process.execPath, ['src/cli.ts', 'sandbox', 'seed', '--leads', '100000'], env);
}

async function isSeeding(): Promise<boolean> {
  const admin = await connect();
  const { rowCount } = await admin.query(SEEDING);
  await admin.end();
  return rowCount === 1;
}

async function untilSeeding(): Promise<void> {
  await vi.waitFor(async () => expect(await isSeeding()).toBe(true), { timeout: 30_000, interval: 100 });
}

async function untilReady({ url }: RunningServer): Promise<void> {
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), RECOVERY);
}

it('a service that uses the server of a command starts its own when the command ends', async () => {
  const seeding = seed();
  await untilSeeding();
  const pid = postmaster(dataDir) ?? 0;
  const port = portOf();
  const server = await theService();
  expect(postmaster(dataDir)).toBe(pid);
  seeding.child.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), RECOVERY);
  await untilReady(server);
  expect(portOf()).toBe(port);
});

it('a killed postmaster is started again, more than once', async () => {
  const server = await theService();
  await killUnderLoad(server);
  await killUnderLoad(server);
});

it('a command that is interrupted, and a second service, leave the server running', async () => {
  const server = await theService();
  const pid = postmaster(dataDir);
  const seeding = seed();
  await untilSeeding();
  seeding.child.kill('SIGINT');
  expect(await seeding.exited).toBe(130);
  const { code, stderr } = await failedStart({ ...env, PORT: new URL(server.url).port });
  expect(code).toBe(1);
  expect(stderr).toMatch(/is already in use\. Set PORT to another port\.\n$/);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(postmaster(dataDir)).toBe(pid);
});

it('a command that still runs when the service stops names its database, fails in one line and has changed nothing', async () => {
  const server = await theService();
  const pid = postmaster(dataDir) ?? 0;
  const seeding = seed();
  await untilSeeding();
  expect(await server.stop()).toBe(0);
  expect(await seeding.exited).toBe(1);
  expect(seeding.output.stderr).toMatch(
    /^Using the sandbox database in .+\.\nThe connection to the database was lost\.\n$/,
  );
  expect(isAlive(pid)).toBe(false);
  expect(postmaster(dataDir)).toBeUndefined();
  const baseUrl = `${(await theService()).url}/sandbox/v1`;
  const token = await getToken(baseUrl, credentialsOf(dataDir).sandbox);
  const { body } = await call(token, 'GET', `${baseUrl}/leads`);
  expect(body.meta).toMatchObject({ total: 0 });
});

it('it is started again even while a running query still holds the memory of the killed server', async () => {
  const server = await theService();
  const client = await connect();
  const computing = client.query(
    'select count(*) from generate_series(1, 1e12::bigint) as n where n % 7 = 8',
  );
  const failed = expect(computing).rejects.toThrow(/terminated/);
  await sleep(100);
  await killUnderLoad(server);
  await failed;
});

it('a command meanwhile uses the port that the service tries, and leaves the server running', async () => {
  const server = await theService();
  const port = portOf();
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    const pid = postmaster(dataDir) ?? 0;
    process.kill(pid, signal);
    const clients = await cliJson<object[]>(env, 'clients', 'list', '--environment', 'production');
    expect(clients).toHaveLength(1);
    await untilReady(server);
    expect(portOf()).toBe(port);
  }
});

it('the postmaster of the service that follows a killed one is started again, and ends with it', async () => {
  const killed = await theService();
  const pid = postmaster(dataDir) ?? 0;
  const port = portOf();
  killed.child.kill('SIGKILL');
  await killed.exited;
  const next = await theService();
  expect(isAlive(pid)).toBe(false);
  expect(portOf()).toBe(port);
  await killUnderLoad(next);
  expect(await next.stop()).toBe(0);
  expect(postmaster(dataDir)).toBeUndefined();
});

it('if the server can not be started again, the service ends with a reason and an exit code', async () => {
  const server = await theService();
  writeFileSync(join(dataDir, 'postgres/data/postgresql.conf'), 'nonsense = on\n');
  process.kill(postmaster(dataDir) ?? 0, 'SIGKILL');
  expect(await server.exited).toBe(1);
  expect(server.output.stderr).toMatch(
    /\nThe embedded PostgreSQL does not start: configuration file .* contains errors \(see .*postgres\.log\)\.\n$/,
  );
});
