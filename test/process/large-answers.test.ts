/** Neither large answers nor clients that don't read them take the memory that `npm start` gives to the service. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  call,
  cleanUp,
  externalDatabases,
  getToken,
  memoryFlags,
  type RunningServer,
  startServer,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const MiB = 1024 * 1024;
let server: RunningServer;
let api: string;
let token: string;
let db: pg.Client;

beforeAll(async () => {
  const { env, credentials } = await externalDatabases();
  expect(memoryFlags).toHaveLength(2);
  const unlimited = { RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000' };
  server = await startServer({ ...env, ...unlimited }, memoryFlags);
  api = `${server.url}/v1`;
  token = await getToken(api, credentials);
  db = new pg.Client({ connectionString: env.DATABASE_URL });
  await db.connect();
});

afterAll(async () => {
  await db.end();
  await cleanUp();
});

const isAlive = () => server.child.exitCode === null && server.child.signalCode === null;

/** Of the service, in bytes. */
function resident(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

async function sizeOf(path: string): Promise<{ status: number; bytes: number; ms: number }> {
  const begin = performance.now();
  const response = await fetch(api + path, { headers: { Authorization: `Bearer ${token}` } });
  const { byteLength: bytes } = await response.arrayBuffer();
  return { status: response.status, bytes, ms: performance.now() - begin };
}

describe('content with a large body', () => {
  it.each([
    ['ASCII', 'x'],
    ['two bytes a character', 'é'],
  ])('may be changed hundreds of times, and its events read by several at once: %s', async (_, letter) => {
    const body = letter.repeat(129_990);
    const content = { title: 'Long', type: 'article', body };
    const { body: made } = await call(token, 'POST', `${api}/content`, content);
    const { id } = made.data as { id: string };
    for (let count = 1; count <= 300; count += 1) {
      const { status } = await call(token, 'PATCH', `${api}/content/${id}`, { body: `${body}${count}` });
      expect(status).toBe(200);
    }
    const answers = await Promise.all(Array.from({ length: 8 }, () => sizeOf('/events?limit=500')));
    for (const { status, bytes } of answers) {
      expect(status).toBe(200);
      expect(bytes).toBeLessThan(4 * MiB);
    }
    expect(isAlive()).toBe(true);
  });

  it('is listed without it: a hundred are small, and eighty lists at once soon there', async () => {
    await db.query(`
      insert into content (id, title, slug, type, body)
      select new_uuid(), 'Piece ' || n, 'piece-' || n, 'ebook', n || string_agg(md5(random()::text), '')
      from generate_series(1, 100) n, generate_series(1, 6200) part group by n`);
    const answers = await Promise.all(Array.from({ length: 80 }, () => sizeOf('/content?per_page=100')));
    for (const { status, bytes, ms } of answers) {
      expect(status).toBe(200);
      expect(bytes).toBeLessThan(0.1 * MiB);
      expect(ms).toBeLessThan(10_000);
    }
  });
});

describe('pages of 4 MiB', () => {
  // As they were before metadata had a limit.
  beforeAll(async () => {
    await db.query(`
      with lead as (
        select jsonb_build_object(
          'id', 'lead_01m7w4n5e0e3tajy9kep34bze2', 'name', 'Ada', 'email', 'ada@example.com', 'phone', null,
          'status', 'new', 'source', 'api', 'company', null, 'tags', '[]'::jsonb, 'assigned_user_id', null,
          'content_id', null, 'contact_id', null, 'external_id', null, 'lost_reason', null,
          'metadata', (select jsonb_object_agg('key' || n, repeat(md5(n::text), 15)) from generate_series(1, 50) n),
          'status_changed_at', '2026-11-20T09:30:00.000Z', 'created_at', '2026-11-20T09:30:00.000Z',
          'updated_at', '2026-11-20T09:30:00.000Z', 'version', 1
        ) as object
      )
      insert into events (type, request_id, actor_type, resource_id, object)
      select 'lead.created', 'request-of-old', 'system', new_uuid(), object from lead, generate_series(1, 1000)`);
  });

  const path = '/events?limit=500&types=lead.created';

  it('are made for many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => sizeOf(path)));
    for (const { status, bytes } of answers) {
      expect(status).toBe(200);
      expect(bytes).toBeGreaterThan(3.9 * MiB);
      expect(bytes).toBeLessThanOrEqual(4 * MiB);
    }
    expect(isAlive()).toBe(true);
  });

  it.each([
    ['forty clients', 40, 1],
    ['one that sends two hundred requests at once', 1, 200],
  ])('that nobody reads are not kept: %s', async (_, clients, requests) => {
    console.info(`Before: ${Math.round(resident() / MiB)} MiB`);
    const unread = Array.from({ length: clients }, () => ask(path, requests));
    for (let round = 0; round < 50; round += 1) {
      expect((await sizeOf('/leads')).status).toBe(200);
      await sleep(100);
    }
    expect((await sizeOf(path)).bytes).toBeGreaterThan(3.9 * MiB);
    const kept = resident();
    console.info(`Resident with answers that nobody reads: ${Math.round(kept / MiB)} MiB`);
    expect(kept).toBeLessThanOrEqual(256 * MiB);
    for (const socket of unread) socket.destroy();
  });

  it('are cut from who takes nothing for 30 s, not from who reads slowly', async () => {
    const begin = performance.now();
    const idle = ask(path, 3);
    const cut = new Promise<number>((resolve) => {
      // A socket that is not read does not hear of its end.
      idle.once('close', () => resolve(performance.now() - begin)).once('error', () => undefined);
    });
    const slow = ask(path, 1);
    let taken = 0;
    while (taken < 4_000_000) {
      await sleep(1_000);
      taken += readSome(slow, 110_000);
      expect(slow.destroyed).toBe(false);
    }
    expect(performance.now() - begin).toBeGreaterThan(33_000);
    idle.resume();
    await cut;
    expect(idle.bytesRead).toBeLessThan(3 * 3.9 * MiB);
    slow.destroy();
  });
});

/** What has come, up to so many bytes. */
function readSome(socket: Socket, most: number): number {
  const chunk: Buffer | null = socket.read(Math.min(most, socket.readableLength)) ?? socket.read();
  return chunk?.length ?? 0;
}

/** Sends requests on one connection, and reads nothing. */
function ask(path: string, count: number): Socket {
  const { hostname, port } = new URL(api);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).pause();
  const request = `GET /v1${path} HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write(request.repeat(count));
  return socket;
}
