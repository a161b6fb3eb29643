/** What clients leave unread or send slowly is not kept: neither the memory of `npm start` nor the others' answers suffer. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { holding } from '../../support/exports.ts';
import { recordLargeEvents } from '../../support/large-events.ts';
import {
  cleanUp,
  externalDatabases,
  getToken,
  newClient,
  type RunningServer,
  startServer,
} from '../../support/process.ts';
import { residentBytes } from '../../support/processes.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const MiB = 1024 * 1024;
const LEADS = 7_500;
const PAGE = '/events?per_page=500&event_types=lead.created';

let server: RunningServer;
let api: string;
let token: string;
/** Of another client, who reads slowly. */
let slowToken: string;
/** Of four clients, since each may read one export and send one file at a time. */
let tokens: string[];
let db: pg.Client;

beforeAll(async () => {
  const { env, credentials } = await externalDatabases();
  db = new pg.Client({ connectionString: env.DATABASE_URL });
  await db.connect();
  await db.query(
    `insert into leads (id, name, email, status, source, metadata)
     select new_uuid(), 'Lead ' || n, 'lead' || n || '@example.com', 'won', 'api', notes
     from (select jsonb_object_agg('note ' || n, repeat(md5(n::text), 15)) as notes from generate_series(1, 20) n),
       generate_series(1, ${LEADS}) n`,
  );
  await recordLargeEvents(env.DATABASE_URL);
  const unlimited = { RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000' };
  server = await startServer({ ...env, ...unlimited });
  api = `${server.url}/v1`;
  token = await getToken(api, credentials);
  slowToken = await getToken(api, await newClient(env.DATABASE_URL));
  tokens = [token, slowToken];
  while (tokens.length < 4) tokens.push(await getToken(api, await newClient(env.DATABASE_URL)));
});

afterAll(async () => {
  await db.end();
  await cleanUp();
});

/** Of the service, in bytes. */
function resident(): number {
  return residentBytes(server.child.pid);
}

const holders = async () => (await db.query(holding)).rowCount;
const chunks = async () => (await db.query('select from import_chunks')).rowCount;

/** Sends requests on one connection, and reads nothing. */
function ask(path: string, count = 1, as = token): Socket {
  const request = `GET /v1${path} HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${as}\r\n\r\n`;
  const socket = open().pause();
  socket.write(request.repeat(count));
  return socket;
}

function open(): Socket {
  const { hostname, port } = new URL(api);
  return connect(Number(port), hostname).on('error', () => undefined);
}

/** Begins to send a file of 10 MiB. */
function send(as: string): Socket {
  const socket = open();
  socket.write(
    `POST /v1/imports?resource=leads HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${as}\r\n` +
      `Content-Type: text/csv\r\nContent-Length: ${10 * MiB}\r\n\r\n` +
      `name,email\n${'Ada,ada@example.com\n'.repeat(60_000)}`,
  );
  return socket;
}

async function sizeOf(path: string, as = token): Promise<{ status: number; bytes: number }> {
  const response = await fetch(api + path, { headers: { Authorization: `Bearer ${as}` } });
  const { byteLength: bytes } = await response.arrayBuffer();
  return { status: response.status, bytes };
}

/** What has come, up to so many bytes. */
function readSome(socket: Socket, most: number): number {
  const chunk: Buffer | null = socket.read(Math.min(most, socket.readableLength)) ?? socket.read();
  return chunk?.length ?? 0;
}

describe('large exports', () => {
  it('take constant memory, four at a time', async () => {
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, resident());
    }, 50);
    const begin = performance.now();
    const read = async (accept: string, client: number) => {
      const response = await fetch(`${api}/leads/export`, {
        headers: { Authorization: `Bearer ${tokens[client]}`, Accept: accept },
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
    expect(files.map(({ lines }) => lines)).toEqual([LEADS + 1, LEADS + 1, LEADS, LEADS]);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const seconds = (performance.now() - begin) / 1_000;
    console.info(
      `Four exports: ${Math.round(bytes / MiB)} MiB in ${seconds.toFixed(1)} s, at most ${Math.round(most / MiB)} MiB resident`,
    );
    expect(bytes).toBeGreaterThan(256 * MiB);
    expect(most).toBeLessThan(512 * MiB);
  });

  it('free the connection as soon as the client has left', async () => {
    const socket = ask('/leads/export');
    await vi.waitFor(async () => expect(await holders()).toBe(1), 5_000);
    await sleep(500);
    socket.destroy();
    await vi.waitFor(async () => expect(await holders()).toBe(0), 5_000);
  });
});

describe('pages of 4 MiB that nobody reads', () => {
  it.concurrent.each([
    ['on forty connections', 40, 1],
    ['two hundred on one connection', 1, 200],
  ])('take only the share of their client: %s', async (_, clients, requests) => {
    const unread = Array.from({ length: clients }, () => ask(PAGE, requests));
    for (let round = 0; round < 20; round += 1) {
      expect((await sizeOf('/leads')).status).toBe(200);
      await sleep(250);
    }
    expect((await sizeOf(PAGE, slowToken)).bytes).toBeGreaterThan(3.9 * MiB);
    const kept = resident();
    console.info(`Resident with answers that nobody reads: ${Math.round(kept / MiB)} MiB`);
    expect(kept).toBeLessThanOrEqual(512 * MiB);
    for (const socket of unread) socket.destroy();
  });
});

describe('a client that reads slowly', () => {
  it('gets its page of 4 MiB, however much another one leaves unread', async () => {
    const slow = ask(PAGE, 1, slowToken);
    const silent: Socket[] = [];
    let taken = 0;
    while (taken < 3.9 * MiB) {
      if (taken > 0 && silent.length < 12) silent.push(ask(PAGE));
      await sleep(50);
      taken += readSome(slow, 50_000);
      expect(slow.destroyed).toBe(false);
    }
    for (const socket of [slow, ...silent]) socket.destroy();
  });
});

describe.concurrent('a client that is slow or silent', () => {
  it('is disconnected within a minute if it reads nothing of its pages of 4 MiB, but not if it reads slowly', async () => {
    const begin = performance.now();
    const idle = ask(PAGE, 3);
    const cut = new Promise<number>((resolve) => {
      // A socket that is not read does not hear of its end.
      idle.once('close', () => resolve(performance.now() - begin)).once('error', () => undefined);
    });
    const slow = ask(PAGE, 1, slowToken);
    let taken = 0;
    while (taken < 4_000_000) {
      await sleep(1_000);
      taken += readSome(slow, 118_000);
      expect(slow.destroyed).toBe(false);
    }
    expect(performance.now() - begin).toBeGreaterThan(33_000);
    // Node looks every 30 seconds whether anything was read since it looked last.
    await sleep(65_000 - (performance.now() - begin));
    idle.resume();
    await cut;
    expect(idle.bytesRead).toBeLessThan(3 * 3.9 * MiB);
    slow.destroy();
  });

  it('exports that nobody reads are not kept in memory, and are cut after 30 s, with their connections', async () => {
    const sockets = tokens.map((one) => ask('/leads/export', 1, one));
    await vi.waitFor(async () => expect(await holders()).toBe(4), 5_000);
    const begin = performance.now();
    await sleep(10_000);
    expect(await holders()).toBe(4);
    expect(resident()).toBeLessThan(512 * MiB);
    await vi.waitFor(async () => expect(await holders()).toBe(0), 60_000);
    expect(performance.now() - begin).toBeGreaterThan(25_000);
    for (const socket of sockets) socket.destroy();
  });

  it('a file that stops coming is cut after 30 seconds, and a second one of its client waits a moment only: it is told', async () => {
    const sockets = tokens.slice(0, 2).map(send);
    const answers = sockets.map(
      (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
    );
    await vi.waitFor(async () => expect(await chunks()).toBeGreaterThan(60), 10_000);
    const begun = performance.now();
    const second = await fetch(`${api}/imports?resource=leads`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
      body: 'name,email\nAda,ada@example.com\n',
    });
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
    // Slow is not the same as silent.
    await sleep(20_000);
    sockets[0]?.write('Bob,bob@example.com\n');
    expect(await answers[1]).toMatch(/^HTTP\/1.1 408 /);
    expect(performance.now() - begun).toBeGreaterThan(25_000);
    expect(await Promise.race([answers[0], sleep(5_000, 'waits')])).toBe('waits');
    sockets[0]?.destroy();
    await vi.waitFor(async () => expect(await chunks()).toBe(0), 10_000);
  });
});
