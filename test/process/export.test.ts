/** What a large export costs the service, who reads it slowly or not at all, and the command that writes one. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { holding } from '../support/exports.ts';
import {
  cleanUp,
  cli,
  cliJson,
  type External,
  externalDatabases,
  getToken,
  memoryFlags,
  type RunningServer,
  startEnv,
  startServer,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MiB = 1024 * 1024;
const COUNT = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'export-'));
let external: External;
let server: RunningServer;
let api: string;
let token: string;
let db: pg.Client;

beforeAll(async () => {
  external = await externalDatabases();
  db = new pg.Client({ connectionString: external.env.DATABASE_URL });
  await db.connect();
  await db.query(
    `insert into leads (id, name, email, status, source, company, metadata)
     select new_uuid(), 'Lead ' || n, 'lead' || n || '@example.com', 'won', 'api', repeat(md5(n::text), 6),
       jsonb_build_object('note', repeat(md5(n::text), 12))
     from generate_series(1, ${COUNT}) n`,
  );
  server = await startServer({ ...external.env, ...startEnv }, memoryFlags);
  api = `${server.url}/v1`;
  token = await getToken(api, external.credentials);
});

afterAll(async () => {
  await db.end();
  rmSync(folder, { recursive: true });
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

describe('exports of a hundred thousand leads', () => {
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
        for (const byte of chunk) if (byte === 10) lines += 1;
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

describe('the command export', () => {
  const file = join(folder, 'leads.csv');
  const run = (...args: string[]) =>
    cli(external.env, 'export', 'leads', '--environment', 'production', ...args);

  it('writes the file that a request gets', async () => {
    const args = ['--search', 'lead 777', '--created-from', '2020-01-01', '--status', 'won,lost', '-o', file];
    const report = await cliJson(
      external.env,
      ...['export', 'leads', '--environment', 'production', ...args],
    );
    const response = await fetch(
      `${api}/leads/export?search=lead%20777&created_from=2020-01-01&status=won,lost`,
      {
        headers: { Authorization: `Bearer ${token}` },
      },
    );
    const text = await response.text();
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(report).toEqual({ file, leads: text.split('\r\n').length - 2 });
    expect(text).toContain('Lead 777,');
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  it('writes NDJSON, and contacts', async () => {
    const lines = join(folder, 'leads.ndjson');
    await cliJson(
      external.env,
      ...['export', 'leads', '--environment', 'production', '--email', 'lead7@example.com'],
      ...['--format', 'ndjson', '-o', lines],
    );
    expect(JSON.parse(readFileSync(lines, 'utf8'))).toMatchObject({ name: 'Lead 7' });
    const contacts = join(folder, 'contacts.csv');
    await cliJson(external.env, 'export', 'contacts', '--environment', 'production', '-o', contacts);
    expect(readFileSync(contacts, 'utf8')).toMatch(/^id,name,.*\r\n$/);
  });

  it.each([
    ['status: must be one of new, contacted, qualified, won, lost\n', ['--status', 'open', '-o', file]],
    ['reached_to: can only be sent together with reached\n', ['--reached-to', '2026-01-01', '-o', file]],
    [/no such file or directory/, ['-o', join(folder, 'missing', 'leads.csv')]],
  ])('explains what is wrong, and leaves the file as it was: %s', async (message, args) => {
    const before = readFileSync(file, 'utf8');
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
