import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 60_000 });

let external: External;
let server: RunningServer;
let token: string;
let leads: string;

afterAll(cleanUp);

beforeAll(async () => {
  external = await externalDatabases();
});

async function start(env = {}): Promise<void> {
  server = await startServer({ ...external.env, ...env });
  leads = `${server.url}/v1/leads`;
  token = await getToken(`${server.url}/v1`, external.credentials);
}

/** A PATCH that waits for a lock which the test holds. */
async function slowRequest() {
  const { body } = await call(token, 'POST', leads, { name: 'Ada', email: `${crypto.randomUUID()}@x.com` });
  const { id } = body.data as { id: string };
  const lock = new pg.Client({ connectionString: external.env.DATABASE_URL });
  await lock.connect();
  await lock.query('begin; lock table leads in exclusive mode');
  const answer = call(token, 'PATCH', `${leads}/${id}`, { name: 'Grace' });
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  while ((await lock.query(waiting)).rowCount === 0) await sleep(10);
  return { answer, release: () => lock.end() };
}

/** A PATCH whose query takes longer than anybody waits. */
async function hangingRequest() {
  const { body } = await call(token, 'POST', leads, { name: 'Ada', email: `${crypto.randomUUID()}@x.com` });
  const { id } = body.data as { id: string };
  const db = new pg.Client({ connectionString: external.env.DATABASE_URL });
  await db.connect();
  await db.query(`
    create function hang() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end';
    create trigger hang before update on leads for each row when (new.name = 'Grace hangs') execute function hang()`);
  const answer = call(token, 'PATCH', `${leads}/${id}`, { name: 'Grace hangs' });
  const working =
    "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  while ((await db.query(working)).rowCount === 0) await sleep(10);
  await db.end();
  return { answer };
}

async function refuses(): Promise<boolean> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => false),
    once(socket, 'error').then(() => true),
  ]).catch(() => true);
  socket.destroy();
  return outcome;
}

/** Two idle connections: one without any request, and one that is kept alive after its response. */
async function idleConnections(): Promise<void> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  const agent = new Agent({ keepAlive: true });
  const [answer] = (await once(get(`${server.url}/livez`, { agent }), 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
}

/** Pipelined requests on one connection, whose client leaves before the first response. */
async function leaveRequests(): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const request = `GET /v1/events?cursor=latest&wait=30 HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write(request.repeat(3));
  await sleep(300);
  socket.destroy();
}

async function seconds(promise: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await promise;
  return (performance.now() - start) / 1000;
}

describe('on a signal to stop', () => {
  it('a running request finishes, new connections are refused, and idle ones delay nothing', async () => {
    await start();
    await idleConnections();
    const { answer, release } = await slowRequest();
    const exited = server.stop();
    // A second signal at the same time, as with Ctrl-C under npm: both the terminal and npm send one.
    server.child.kill('SIGINT');
    while (!(await refuses())) await sleep(10);
    await sleep(300);
    expect(server.child.exitCode).toBeNull();
    await release();
    const { status, headers, body } = await answer;
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Grace' });
    expect(headers.get('connection')).toBe('close');
    expect(await seconds(exited)).toBeLessThan(5);
    expect(await exited).toBe(0);
  });

  it("a proxy's requests are answered even if their connections still wait to be accepted", async () => {
    await start({ TRUST_PROXY: '1' });
    server.child.kill('SIGSTOP');
    const agent = new Agent();
    const answers = Array.from({ length: 40 }, async () => {
      const [answer] = (await once(get(`${server.url}/livez`, { agent }), 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    });
    await sleep(100);
    const exited = server.stop();
    server.child.kill('SIGCONT');
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(await exited).toBe(0);
  });

  it('a hanging request is aborted after 10 s', async () => {
    await start();
    const { answer } = await hangingRequest();
    const cut = expect(answer).rejects.toThrow();
    const took = await seconds(server.stop());
    await cut;
    expect(took).toBeGreaterThan(9.5);
    expect(took).toBeLessThan(13);
    expect(await server.exited).toBe(0);
  });

  it('abandoned requests and idle connections do not delay the stop (SIGINT and SIGHUP)', async () => {
    for (const signal of ['SIGINT', 'SIGHUP'] as const) {
      await start();
      await leaveRequests();
      await idleConnections();
      server.child.kill(signal);
      expect(await seconds(server.exited)).toBeLessThan(5);
      expect(await server.exited).toBe(0);
    }
  });
});
