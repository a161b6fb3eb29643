import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/db/database.ts';
import { addWebhook, startReceiver } from '../../support/deliveries.ts';
import { startNetwork } from '../../support/network.ts';
import {
  call,
  cleanUp,
  credentialsOf,
  type External,
  externalDatabases,
  getToken,
  isAlive,
  postmaster,
  preparedDataDir,
  type RunningServer,
  run,
  startServer,
} from '../../support/process.ts';
import { familyOf } from '../../support/processes.ts';

vi.setConfig({ testTimeout: 90_000 });

/** Seconds: the service's 12, and what a machine adds that runs other tests. */
const STOPPED_WITHIN = 12.5;

interface Embedded {
  dataDir: string;
  server: RunningServer;
}

/** One for each of those who use one at the same time. */
const dataDirs = [preparedDataDir(), preparedDataDir(), preparedDataDir()] as const;
/** Services that tests have left to those after them. */
const running: Embedded[] = [];
let external: External;

beforeAll(async () => {
  external = await externalDatabases();
});

afterAll(cleanUp);

async function start(dataDir: string = dataDirs[0]): Promise<Embedded> {
  return { dataDir, server: await startServer({ DATA_DIR: dataDir }) };
}

async function seconds(promise: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await promise;
  return (performance.now() - start) / 1000;
}

async function isListening(url: string): Promise<boolean> {
  return fetch(`${url}/livez`).then(
    () => true,
    () => false,
  );
}

describe.concurrent('SIGTERM ends the service within 12 s', () => {
  it('with requests and deliveries under way, while its own database answers nothing', async () => {
    const { env, credentials } = external;
    const receiver = await startReceiver(() => {});
    const db = new Database(env.DATABASE_URL, 1);
    await addWebhook(db, [Buffer.from(env.SECRET_KEY, 'base64')], receiver.url);
    await db.close();
    const network = await startNetwork(env.DATABASE_URL);
    const server = await startServer({
      ...env,
      DATABASE_URL: network.through(env.DATABASE_URL),
      SANDBOX_DATABASE_URL: network.through(env.SANDBOX_DATABASE_URL),
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    const token = await getToken(`${server.url}/v1`, credentials);
    const leads = `${server.url}/v1/leads`;
    const lead = { name: 'Ada', email: 'ada@example.com' };
    expect((await call(token, 'POST', leads, lead)).status).toBe(201);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 10_000);
    network.freeze();
    network.freezeNew(true);
    const requests = Array.from({ length: 5 }, () => call(token, 'GET', leads).catch(() => undefined));
    await sleep(200);
    expect(await seconds(server.stop())).toBeLessThan(STOPPED_WITHIN);
    expect(await server.exited).toBe(0);
    await Promise.all(requests);
    await network.close();
    await receiver.close();
  });

  it.each([
    ['PostgreSQL', familyOf, dataDirs[0]],
    ["PostgreSQL's postmaster", (pid: number) => [pid], dataDirs[1]],
    ["PostgreSQL's other processes", (pid: number) => familyOf(pid).slice(1), dataDirs[2]],
  ])('with an embedded %s that is frozen, which ends too', async (_, choose, dataDir) => {
    const { server } = await start(dataDir);
    const token = await getToken(`${server.url}/v1`, credentialsOf(dataDir).production);
    const pid = postmaster(dataDir) ?? 0;
    const processes = familyOf(pid);
    expect(processes.length).toBeGreaterThan(5);
    for (const frozen of choose(pid)) process.kill(frozen, 'SIGSTOP');
    const request = call(token, 'GET', `${server.url}/v1/leads`).catch(() => undefined);
    await sleep(200);
    expect(await seconds(server.stop())).toBeLessThan(STOPPED_WITHIN);
    expect(await server.exited).toBe(0);
    await request;
    await vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]), 2000);
    const next = await start(dataDir);
    expect((await fetch(`${next.server.url}/readyz`)).status).toBe(200);
    running.push(next);
  });

  it('while it waits for a database that answers nothing', { concurrent: false }, async () => {
    const { env } = external;
    const network = await startNetwork(env.DATABASE_URL);
    network.freezeNew(true);
    const DATABASE_URL = network.through(env.DATABASE_URL);
    const { child, output, exited } = run(process.execPath, ['src/server.ts'], {
      ...env,
      DATABASE_URL,
      PORT: '0',
    });
    await vi.waitFor(() => expect(network.connections()).toBeGreaterThan(0), 20_000);
    child.kill('SIGTERM');
    expect(await seconds(exited)).toBeLessThan(STOPPED_WITHIN);
    expect(await exited).toBe(0);
    expect(output.stderr).not.toContain('timed out');
    await network.close();
  });
});

it('a service that starts after one whose PostgreSQL was frozen ends as ever', async () => {
  const { server } = running.pop() ?? (await start());
  expect(await server.stop()).toBe(0);
});

describe('a second signal', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('%s ends the service at once, and its PostgreSQL', async (signal, code) => {
    const { dataDir, server } = running.pop() ?? (await start());
    const pid = postmaster(dataDir) ?? 0;
    const processes = familyOf(pid);
    // A request that never comes to its end holds up the first stop.
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST /v1/auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n',
    );
    await sleep(200);
    server.child.kill('SIGTERM');
    await sleep(700);
    expect(server.child.exitCode).toBeNull();
    server.child.kill(signal);
    expect(await seconds(server.exited)).toBeLessThan(1);
    expect(await server.exited).toBe(code);
    socket.destroy();
    await vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]), 10_000);
  });
});

describe('npm start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s to npm ends the service and its PostgreSQL', async (signal) => {
    const [dataDir] = dataDirs;
    const { child, output, exited } = run('npm', ['start'], { DATA_DIR: dataDir, PORT: '0' });
    await vi.waitFor(() => expect(output.stdout).toMatch(/docs +\S+\/docs\n/), 60_000);
    const url = /docs +(\S+)\/docs\n/.exec(output.stdout)?.[1] ?? '';
    expect(await isListening(url)).toBe(true);
    const pid = postmaster(dataDir) ?? 0;
    child.kill(signal);
    expect(await seconds(exited)).toBeLessThan(STOPPED_WITHIN);
    expect(await isListening(url)).toBe(false);
    expect(isAlive(pid)).toBe(false);
    expect(postmaster(dataDir)).toBeUndefined();
    expect(await exited).toBe(0);
  });
});
