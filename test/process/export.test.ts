/** What a large export costs the service, and who reads it slowly or not at all. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { holding } from '../support/exports.ts';
import {
  cleanUp,
  externalDatabases,
  getToken,
  memoryFlags,
  type RunningServer,
  startEnv,
  startServer,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MiB = 1024 * 1024;
const COUNT = 7_500;

let server: RunningServer;
let api: string;
let token: string;
let db: pg.Client;

beforeAll(async () => {
  const { env, credentials } = await externalDatabases();
  db = new pg.Client({ connectionString: env.DATABASE_URL });
  await db.connect();
  await db.query(
    `insert into leads (id, name, email, status, source, metadata)
     select new_uuid(), 'Lead ' || n, 'lead' || n || '@example.com', 'won', 'api', notes
     from (select jsonb_object_agg('note ' || n, repeat(md5(n::text), 15)) as notes from generate_series(1, 20) n),
       generate_series(1, ${COUNT}) n`,
  );
  server = await startServer({ ...env, ...startEnv }, memoryFlags);
  api = `${server.url}/v1`;
  token = await getToken(api, credentials);
});

afterAll(async () => {
  await db.end();
  await cleanUp();
});

/** Of the service, in bytes. */
function resident(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

async function holders(): Promise<number | null> {
  return (await db.query(holding)).rowCount;
}

/** Asks for an export, and reads nothing. */
function ask(): Socket {
  const { hostname, port } = new URL(api);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).pause();
  socket.write(`GET /v1/leads/export HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

describe('large exports', () => {
  it('take constant memory, four at a time', async () => {
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, resident());
    }, 50);
    const begin = performance.now();
    const read = async (accept: string) => {
      const response = await fetch(`${api}/leads/export`, {
        headers: { Authorization: `Bearer ${token}`, Accept: accept },
      });
      let [bytes, lines] = [0, 0];
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
      }
      return { bytes, lines };
    };
    const files = await Promise.all(
      ['text/csv', 'text/csv', 'application/x-ndjson', 'application/x-ndjson'].map(read),
    );
    clearInterval(timer);
    expect(files.map(({ lines }) => lines)).toEqual([COUNT + 1, COUNT + 1, COUNT, COUNT]);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const seconds = (performance.now() - begin) / 1_000;
    console.info(
      `Four exports: ${Math.round(bytes / MiB)} MiB in ${seconds.toFixed(1)} s, at most ${Math.round(most / MiB)} MiB resident`,
    );
    expect(bytes).toBeGreaterThan(256 * MiB);
    expect(most).toBeLessThan(256 * MiB);
  });

  it('that nobody reads are not kept in memory, and are cut after 30 s, with their connections', async () => {
    const sockets = Array.from({ length: 4 }, ask);
    await vi.waitFor(async () => expect(await holders()).toBe(4), 5_000);
    const begin = performance.now();
    await sleep(10_000);
    expect(await holders()).toBe(4);
    expect(resident()).toBeLessThan(256 * MiB);
    await vi.waitFor(async () => expect(await holders()).toBe(0), 60_000);
    expect(performance.now() - begin).toBeGreaterThan(25_000);
    for (const socket of sockets) socket.destroy();
  });

  it('free the connection as soon as the client has left', async () => {
    const socket = ask();
    await vi.waitFor(async () => expect(await holders()).toBe(1), 5_000);
    await sleep(500);
    socket.destroy();
    await vi.waitFor(async () => expect(await holders()).toBe(0), 5_000);
  });
});
