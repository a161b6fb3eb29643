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
  newDataDir,
  postmaster,
  type RunningServer,
  run,
  startServer,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 90_000 });
afterAll(cleanUp);

async function start() {
  const dataDir = newDataDir();
  const env = { DATA_DIR: dataDir, RATE_LIMIT_WRITE: '1000000', RATE_LIMIT_READ: '1000000' };
  return { dataDir, env, server: await startServer(env) };
}

/** The port that PostgreSQL listens on. */
function portOf(dataDir: string): string | undefined {
  return readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[3];
}

/** A connection past the service. */
async function connectTo(dataDir: string): Promise<pg.Client> {
  const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim();
  const client = new pg.Client({
    connectionString: `postgres://lead_pipeline:${password}@127.0.0.1:${portOf(dataDir)}/postgres`,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The transaction of a command that seeds the sandbox; those of the service are short. */
const SEEDING = `select from pg_stat_activity where datname = 'lead_pipeline_sandbox'
  and backend_xid is not null and now() - xact_start > interval '500 ms'`;

/** 10 s on a machine of its own; here other test files run beside it. */
const RECOVERY = 20_000;

/** Creates leads from four clients at once, until told to stop. Gives the answers: those of 201 with the lead's id. */
async function load(server: RunningServer, dataDir: string) {
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
      await sleep(10);
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

/** Kills the postmaster alone, and sees to it that the service goes on under load. */
async function killUnderLoad(server: RunningServer, dataDir: string): Promise<void> {
  const { ids, failures, stop } = await load(server, dataDir);
  // The files of a cluster that was made just now are written at the next start, at whatever speed the disk has.
  const admin = await connectTo(dataDir);
  await admin.query('checkpoint');
  await admin.end();
  const killed = postmaster(dataDir) ?? 0;
  const port = portOf(dataDir);
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
  expect(portOf(dataDir)).toBe(port);
  expect(server.child.exitCode).toBeNull();
}

it('a postmaster that is killed alone is started again, more than once', async () => {
  const { dataDir, server } = await start();
  await killUnderLoad(server, dataDir);
  await killUnderLoad(server, dataDir);
  const pid = postmaster(dataDir) ?? 0;
  expect(await server.stop()).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

it('also the one that follows that of a killed service, which ends with it', async () => {
  const { dataDir, env, server } = await start();
  const pid = postmaster(dataDir) ?? 0;
  const port = portOf(dataDir);
  server.child.kill('SIGKILL');
  await server.exited;
  const next = await startServer(env);
  expect(isAlive(pid)).toBe(false);
  expect(portOf(dataDir)).toBe(port);
  await killUnderLoad(next, dataDir);
  expect(await next.stop()).toBe(0);
  expect(postmaster(dataDir)).toBeUndefined();
});

it('also while a query computes on, which holds the memory of the killed server', async () => {
  const { dataDir, server } = await start();
  const client = await connectTo(dataDir);
  const computing = client.query(
    'select count(*) from generate_series(1, 1e12::bigint) as n where n % 7 = 8',
  );
  const failed = expect(computing).rejects.toThrow(/terminated/);
  await sleep(500);
  await killUnderLoad(server, dataDir);
  await failed;
  expect(await server.stop()).toBe(0);
});

it('a command meanwhile uses the port that the service tries, and leaves the server running', async () => {
  const { dataDir, env, server } = await start();
  const port = portOf(dataDir);
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    const pid = postmaster(dataDir) ?? 0;
    process.kill(pid, signal);
    const clients = await cliJson<object[]>(env, 'clients', 'list', '--environment', 'production');
    expect(clients).toHaveLength(1);
    await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200), RECOVERY);
    expect(portOf(dataDir)).toBe(port);
  }
  expect(await server.stop()).toBe(0);
  expect(postmaster(dataDir)).toBeUndefined();
});

it('a command that is interrupted, and a second service, leave the server running', async () => {
  const { dataDir, env, server } = await start();
  const pid = postmaster(dataDir);
  const seeding = run(process.execPath, ['src/cli.ts', 'sandbox', 'seed', '--leads', '100000'], env);
  const admin = await connectTo(dataDir);
  await vi.waitFor(async () => expect((await admin.query(SEEDING)).rowCount).toBe(1), 20_000);
  await admin.end();
  seeding.child.kill('SIGINT');
  expect(await seeding.exited).toBe(130);
  const { code, stderr } = await failedStart({ ...env, PORT: new URL(server.url).port });
  expect(code).toBe(1);
  expect(stderr).toMatch(/is already in use\. Set PORT to another port\.\n$/);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(postmaster(dataDir)).toBe(pid);
  expect(await server.stop()).toBe(0);
  expect(postmaster(dataDir)).toBeUndefined();
});

it('a command that still runs when the service stops fails in one line and has changed nothing', async () => {
  const { dataDir, env, server } = await start();
  const seeding = run(process.execPath, ['src/cli.ts', 'sandbox', 'seed', '--leads', '100000'], env);
  const admin = await connectTo(dataDir);
  await vi.waitFor(async () => expect((await admin.query(SEEDING)).rowCount).toBe(1), 20_000);
  await admin.end();
  expect(await server.stop()).toBe(0);
  expect(await seeding.exited).toBe(1);
  expect(seeding.output.stderr).toBe('The connection to the database was lost.\n');
  expect(postmaster(dataDir)).toBeUndefined();
  const next = await startServer(env);
  const baseUrl = `${next.url}/sandbox/v1`;
  const token = await getToken(baseUrl, credentialsOf(dataDir).sandbox);
  const { body } = await call(token, 'GET', `${baseUrl}/leads`);
  expect(body.meta).toMatchObject({ total: 0 });
  expect(await next.stop()).toBe(0);
});

it('a service that uses the server of a command starts its own when the command ends', async () => {
  const dataDir = newDataDir();
  const env = { DATA_DIR: dataDir };
  const seeding = run(process.execPath, ['src/cli.ts', 'sandbox', 'seed', '--leads', '100000'], env);
  const isSeeding = async () => {
    const admin = await connectTo(dataDir);
    const { rowCount } = await admin.query(SEEDING);
    await admin.end();
    return rowCount === 1;
  };
  await vi.waitFor(async () => expect(await isSeeding()).toBe(true), { timeout: 30_000, interval: 200 });
  const pid = postmaster(dataDir) ?? 0;
  const port = portOf(dataDir);
  const server = await startServer(env);
  expect(postmaster(dataDir)).toBe(pid);
  seeding.child.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), RECOVERY);
  await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200), RECOVERY);
  expect(portOf(dataDir)).toBe(port);
  expect(await server.stop()).toBe(0);
  expect(postmaster(dataDir)).toBeUndefined();
});

it('a server that can not be started again ends the service, with a reason and an exit code', async () => {
  const { dataDir, server } = await start();
  writeFileSync(join(dataDir, 'postgres/data/postgresql.conf'), 'nonsense = on\n');
  process.kill(postmaster(dataDir) ?? 0, 'SIGKILL');
  expect(await server.exited).toBe(1);
  expect(server.output.stderr).toMatch(
    /\nThe embedded PostgreSQL does not start: configuration file .* contains errors \(see .*postgres\.log\)\.\n$/,
  );
});
