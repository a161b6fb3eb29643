/** A client's share of the database's connections belongs to its queries: each keeps its part until it has ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Of ten connections. */
const SHARE = 4;
const HEAVY_SHARE = 3;

let app: TestApp;
let client: TestClient;
let other: TestClient;

beforeAll(async () => {
  app = await startTestApp({ waitsForLocks: true });
  client = await app.client(['read', 'write', 'admin']);
  other = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

async function statusOf({ baseUrl, headers }: TestClient, path: string): Promise<number> {
  const response = await fetch(baseUrl + path, { headers });
  await response.arrayBuffer();
  return response.status;
}

/** How many of the service's queries match. */
async function count(condition: string): Promise<number> {
  const { rows } = await app.production.knex.raw(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'lead-pipeline-api' and ${condition}`,
  );
  return rows[0].count;
}

/** While the tables are locked, all queries that read them wait. */
async function withLocked(tables: string, work: () => Promise<void>): Promise<void> {
  const lock = await app.production.knex.transaction();
  try {
    await lock.raw(`lock table ${tables} in access exclusive mode`);
    await work();
  } finally {
    await lock.rollback();
  }
}

const waiting = () => count("wait_event_type = 'Lock'");

/** The address of a row that doesn't exist. */
function unknown(path: string): string {
  const prefixes: Record<string, string> = { clients: 'client', 'bulk-jobs': 'job', 'inbound-hooks': 'hook' };
  const uuid = '01m7w4n5e0f7x8k2q4v6n9r3td';
  const [, first = ''] = path.split('/');
  return path
    .replace('{id}', `${prefixes[first] ?? first.replace(/s$/, '')}_${uuid}`)
    .replace(/\{(\w+)_id\}/, (_all, name) => `${name}_${uuid}`)
    .replace(/\{\w+\}/, 'x');
}

const lookups = Object.values(operations)
  .filter(({ method, path, scopes }) => method === 'get' && path.endsWith('}') && scopes !== null)
  .map(({ path }) => path);

describe('reads of single rows', () => {
  it('hold no more connections than the share of their client, whatever they read', async () => {
    expect(lookups.length).toBeGreaterThan(18);
    // Their credentials are remembered for a second: the table of clients stays free, for when they are read again.
    for (const one of [client, other]) await one.get('/auth/me').expect(200);
    let asked: Promise<number>[] = [];
    const tables = 'leads, contacts, content, users, events, jobs, webhooks, inbound_hooks, erasures, notes';
    await withLocked(tables, async () => {
      asked = Array.from({ length: 5 }, () => lookups.map((path) => statusOf(client, unknown(path)))).flat();
      await expect.poll(waiting).toBe(SHARE);
      for (let look = 0; look < 10; look += 1) {
        await sleep(50);
        expect(await waiting()).toBe(SHARE);
      }
      expect(await statusOf(other, '/audit-log')).toBe(200);
    });
    expect(new Set(await Promise.all(asked))).toEqual(new Set([404]));
  });

  it('of one client run while another client uses up its share', async () => {
    let asked: Promise<number>[] = [];
    await withLocked('leads', async () => {
      asked = Array.from({ length: 100 }, () => statusOf(client, '/leads/external/x'));
      await expect.poll(waiting).toBe(SHARE);
      expect(await statusOf(other, '/contacts/external/x')).toBe(404);
    });
    await Promise.all(asked);
  });
});

describe('a query that goes on after its request was given up', () => {
  it('keeps its part of the share', async () => {
    const { knex } = app.production;
    await knex.raw("insert into content (id, title, slug, type) values (new_uuid(), 'Ada', 'ada', 'ebook')");
    await knex.raw(
      `alter table content rename to real_content;
       create view content as select * from real_content where pg_sleep(4.5) is not null`,
    );
    const running = () => count("state = 'active' and query like '%content%'");
    let most = 0;
    const search = () => statusOf(client, '/content?search=ada');
    // A search takes nine seconds. The next ones wait for the first ones, and their time is over while their queries run.
    const asked = Array.from({ length: 6 }, search);
    const later = sleep(8_000).then(() => Promise.all(Array.from({ length: 6 }, search)));
    const end = performance.now() + 19_000;
    while (performance.now() < end) {
      most = Math.max(most, await running());
      await sleep(100);
    }
    const statuses = [...(await Promise.all(asked)), ...(await later)];
    await expect.poll(running, { timeout: 20_000 }).toBe(0);
    await knex.raw('drop view content; alter table real_content rename to content');
    expect(statuses).toContain(503);
    expect(most).toBe(HEAVY_SHARE);
  });
});
