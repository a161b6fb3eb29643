/** Large answers don't use up the memory that `npm start` gives to the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { toId } from '../../../src/values/id.ts';
import { recordLargeEvents } from '../../support/large-events.ts';
import {
  call,
  cleanUp,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../../support/process.ts';
import { residentBytes } from '../../support/processes.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const MiB = 1024 * 1024;
let server: RunningServer;
let api: string;
let token: string;
let db: pg.Client;
let url: string;

let databases: Awaited<ReturnType<typeof externalDatabases>>;

async function start(): Promise<void> {
  const unlimited = { RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000' };
  server = await startServer({ ...databases.env, ...unlimited });
  api = `${server.url}/v1`;
  token = await getToken(api, databases.credentials);
}

beforeAll(async () => {
  databases = await externalDatabases();
  await start();
  url = databases.env.DATABASE_URL;
  db = new pg.Client({ connectionString: url });
  await db.connect();
});

afterAll(async () => {
  await db.end();
  await cleanUp();
});

const isAlive = () => server.child.exitCode === null && server.child.signalCode === null;

async function sizeOf(path: string): Promise<{ status: number; bytes: number; ms: number }> {
  const begin = performance.now();
  const response = await fetch(api + path, { headers: { Authorization: `Bearer ${token}` } });
  const { byteLength: bytes } = await response.arrayBuffer();
  return { status: response.status, bytes, ms: performance.now() - begin };
}

/** Repeats the request when the connection is closed, as clients do. How fast this process reads so many pages depends on the machine. */
async function wholeSizeOf(path: string): Promise<{ status: number; bytes: number }> {
  for (;;) {
    const answer = await sizeOf(path).catch((error) => {
      if (!isAlive()) throw error;
    });
    if (answer !== undefined) return answer;
  }
}

/** Repeats the request after Retry-After, as clients do. How many are served within 5 s depends on the machine. */
async function sizeInTheEnd(path: string): Promise<{ status: number; bytes: number }> {
  for (;;) {
    const response = await fetch(api + path, { headers: { Authorization: `Bearer ${token}` } });
    const { byteLength: bytes } = await response.arrayBuffer();
    const retryAfter = Number(response.headers.get('Retry-After'));
    if (response.status !== 503 || retryAfter === 0) return { status: response.status, bytes };
    await sleep(retryAfter * 1_000);
  }
}

describe('content with a large body', () => {
  it.each([
    ['ASCII', 'x'],
    ['two bytes a character', 'é'],
  ])('may be changed a hundred times, and its events read by many at once: %s', async (_, letter) => {
    const body = letter.repeat(129_990);
    const content = { title: 'Long', type: 'article', body };
    const { body: made } = await call(token, 'POST', `${api}/content`, content);
    const { id } = made.data as { id: string };
    for (let count = 1; count <= 100; count += 1) {
      const { status } = await call(token, 'PATCH', `${api}/content/${id}`, { body: `${body}${count}` });
      expect(status).toBe(200);
    }
    const answers = await Promise.all(Array.from({ length: 24 }, () => wholeSizeOf('/events?per_page=500')));
    for (const { status, bytes } of answers) {
      expect(status).toBe(200);
      expect(bytes).toBeLessThan(4 * MiB);
    }
    expect(isAlive()).toBe(true);
  });

  it('is listed without its body, so eighty concurrent lists of a hundred are small and fast', async () => {
    await db.query(`
      insert into content (id, title, slug, type, body)
      select new_uuid(), 'Piece ' || n, 'piece-' || n, 'ebook', n || repeat(md5(n::text), 6200)
      from generate_series(1, 100) n`);
    const answers = await Promise.all(Array.from({ length: 80 }, () => sizeOf('/content?per_page=100')));
    for (const { status, bytes, ms } of answers) {
      expect(status).toBe(200);
      expect(bytes).toBeLessThan(0.1 * MiB);
      expect(ms).toBeLessThan(10_000);
    }
  });

  it('is read by a thousand concurrent requests', async () => {
    const { rows } = await db.query("select id from content where slug like 'piece-%'");
    const ids: string[] = rows.map(({ id }: { id: string }) => toId('content', id));
    const paths = Array.from({ length: 10 }, () => ids.map((id) => `/content/${id}`)).flat();
    for (const { status, bytes } of await Promise.all(paths.map(sizeInTheEnd))) {
      expect(status).toBe(200);
      expect(bytes).toBeGreaterThan(0.18 * MiB);
    }
    expect(isAlive()).toBe(true);
  });
});

describe('pages of 4 MiB', () => {
  beforeAll(async () => {
    await recordLargeEvents(url);
    // The memory that this takes, and not what a thousand answers took before.
    await server.stop();
    await start();
  });

  const path = '/events?per_page=500&event_types=lead.created';

  it('are sent to many clients at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => wholeSizeOf(path)));
    for (const { status, bytes } of answers) {
      expect(status).toBe(200);
      expect(bytes).toBeGreaterThan(3.9 * MiB);
      expect(bytes).toBeLessThanOrEqual(4 * MiB);
    }
    expect(residentBytes(server.child.pid, 'peak')).toBeLessThan(512 * MiB);
  });
});
