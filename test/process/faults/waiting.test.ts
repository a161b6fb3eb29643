/** What it costs the service that a thousand clients wait for events, and what ends their waiting. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { residentBytes } from '../../support/processes.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const MiB = 1024 * 1024;
const CLIENTS = 1_000;

let external: External;
let server: RunningServer;
let api: string;
let token: string;
let admin: pg.Client;

beforeAll(async () => {
  external = await externalDatabases();
  server = await startServer({ ...external.env, ...unlimited });
  api = `${server.url}/v1`;
  token = await getToken(api, external.credentials);
  admin = new pg.Client({ connectionString: inject('serverUrl') });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await cleanUp();
});

type Answer = Awaited<ReturnType<typeof call>>;

async function latest(): Promise<string> {
  const { body } = await call(token, 'GET', `${api}/events?cursor=latest`);
  return (body.meta as { next_cursor: string }).next_cursor;
}

/** So many begin to wait. */
async function wait(count: number): Promise<Promise<Answer>[]> {
  const after = await latest();
  const answers = Array.from({ length: count }, () =>
    call(token, 'GET', `${api}/events?cursor=${after}&wait=30`),
  );
  const early = await Promise.race([...answers, sleep(3_000)]);
  expect(early).toBeUndefined();
  return answers;
}

async function createLead(): Promise<unknown> {
  const lead = { name: 'Ada', email: `${crypto.randomUUID()}@example.com` };
  const { status, body } = await call(token, 'POST', `${api}/leads`, lead);
  expect(status).toBe(201);
  return body.data;
}

function objects({ body }: Answer): unknown[] {
  return (body.data as { data: { object: unknown } }[]).map(({ data }) => data.object);
}

/** Of the service, in bytes. */
function resident(): number {
  return residentBytes(server.child.pid);
}

/** CPU seconds of the service so far. */
function cpu(): number {
  const stat = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')')).split(' ').map(Number);
  return ((fields[12] ?? 0) + (fields[13] ?? 0)) / 100;
}

async function connections(): Promise<number> {
  const { rows } = await admin.query('select count(*)::int as n from pg_stat_activity where datname = $1', [
    new URL(external.env.DATABASE_URL).pathname.slice(1),
  ]);
  return rows[0].n;
}

describe('a thousand clients that wait', () => {
  it('cost next to nothing, and all get the next event', async () => {
    const before = resident();
    const answers = await wait(CLIENTS);
    const idle = cpu();
    await sleep(5_000);
    const share = (cpu() - idle) / 5;
    const grown = (resident() - before) / MiB;
    console.info(
      `A thousand wait: ${(share * 100).toFixed(1)} % of a CPU, ${Math.round(grown)} MiB more, ` +
        `${await connections()} connections to the database`,
    );
    // 2 % on a machine of its own.
    expect(share).toBeLessThan(0.2);
    expect(grown).toBeLessThan(100);
    expect((await call(token, 'GET', `${api}/leads?per_page=100`)).status).toBe(200);
    const begin = performance.now();
    const lead = await createLead();
    const told = await Promise.all(answers);
    console.info(`A thousand got the event within ${Math.round(performance.now() - begin)} ms`);
    for (const answer of told) expect(objects(answer)).toEqual([lead]);
  });
});

describe('clients that wait', () => {
  it('go on waiting while the database restarts', async () => {
    const answers = await wait(20);
    const database = new URL(external.env.DATABASE_URL).pathname.slice(1);
    await admin.query(`alter database ${database} allow_connections false`);
    for (let round = 0; round < 10; round += 1) {
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        database,
      ]);
      await sleep(200);
    }
    await admin.query(`alter database ${database} allow_connections true`);
    await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200), 10_000);
    const lead = await createLead();
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(200);
      expect(objects(answer)).toEqual([lead]);
    }
  });

  it('are answered at once when the service stops', async () => {
    const answers = await wait(20);
    const begin = performance.now();
    const stopped = server.stop();
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('connection')).toBe('close');
      expect(objects(answer)).toEqual([]);
    }
    expect(await stopped).toBe(0);
    expect(performance.now() - begin).toBeLessThan(8_000);
  });
});
