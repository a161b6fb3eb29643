/**
 * A client polls with the greatest updated_at it has seen, while two processes, one of them behind PgBouncer, and other
 * programs write in transactions of very different length. It must not miss a change.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { sessionTimeouts } from '../../src/db/pool/timeouts.ts';
import { until } from '../support/deliveries.ts';
import { leadInput } from '../support/factories.ts';
import { MISSING, type Pooler, startPgBouncer } from '../support/pgbouncer.ts';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const ROLE = `polled_${randomUUID().replaceAll('-', '')}`;

interface Lead {
  id: string;
  version: number;
  updated_at: string;
}

let external: External;
let pooler: Pooler | undefined;
/** Each process has its own address, and tokens for that address. */
let servers: { url: string; token: string; stop: RunningServer['stop'] }[];

beforeAll(async () => {
  external = await externalDatabases();
  const env = { ...external.env, ...unlimited, ENVIRONMENTS: 'production' };
  const { DATABASE_URL } = external.env;
  pooler = MISSING === undefined ? await startPooler() : undefined;
  const pooled = pooler && { DATABASE_URL: pooler.through(DATABASE_URL), DATABASE_DIRECT_URL: DATABASE_URL };
  servers = await Promise.all(
    [env, { ...env, ...pooled }].map(async (own) => {
      const { url, stop } = await startServer(own);
      return { url: `${url}/v1`, token: await getToken(`${url}/v1`, external.credentials), stop };
    }),
  );
});

afterAll(async () => {
  await Promise.all(servers?.map((server) => server.stop()) ?? []);
  await pooler?.close();
  await asAdmin(`drop role if exists ${ROLE}`);
  await cleanUp();
});

async function asAdmin(...statements: string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('serverUrl') });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await admin.end();
}

/** With a role whose sessions have the service's time limits, since a pooler keeps none. */
async function startPooler(): Promise<Pooler> {
  const limits = Object.entries(sessionTimeouts);
  await asAdmin(
    `create role ${ROLE} superuser login password 'secret'`,
    ...limits.map(([name, milliseconds]) => `alter role ${ROLE} set ${name} = ${milliseconds}`),
  );
  const serverUrl = new URL(inject('serverUrl'));
  serverUrl.username = ROLE;
  serverUrl.password = 'secret';
  return startPgBouncer(serverUrl.href, 5);
}

/** Sends the request to one process after the other. */
let turn = 0;
async function ask(method: string, path: string, body?: object, headers = {}) {
  turn += 1;
  const { url, token } = servers[turn % servers.length] ?? { url: '', token: '' };
  const answer = await call(token, method, url + path, body, headers);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as { data: Lead[]; meta: { next_cursor: string | null } };
}

/** Sends so many requests, some at the same time. */
async function times(count: number, write: (number: number) => Promise<unknown>, atOnce = 4): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) await write(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

const createOne = () => ask('POST', '/leads', leadInput(), { 'Idempotency-Key': randomUUID() });

const newLeads = (count: number) => Array.from({ length: count }, () => leadInput());

async function createMany(count: number): Promise<string[]> {
  const { data } = await ask('POST', '/leads/batch/create', { items: newLeads(count) });
  return data.map(({ id }) => id);
}

const changeMany = (ids: readonly string[]) =>
  ask('POST', '/leads/batch/update', { items: ids.map((id) => ({ id, patch: { company: 'Changed' } })) });

async function importMany(count: number): Promise<void> {
  const rows = newLeads(count).map(({ name, email }) => `${name},${email}\n`);
  const { url, token } = servers[0] ?? { url: '', token: '' };
  const response = await fetch(`${url}/imports?resource=leads`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
    body: `name,email\n${rows.join('')}`,
  });
  const { data } = (await response.json()) as { data: { id: string } };
  const isCompleted = async () => {
    const { body } = await call(token, 'GET', `${url}/imports/${data.id}`);
    return (body.data as { status: string }).status === 'completed';
  };
  await until(isCompleted, 120);
}

/** Changes leads in one transaction, statement by statement, which lasts for several polls. */
async function changeSlowly(count: number, polls: () => number): Promise<void> {
  const connection = new pg.Client({ connectionString: external.env.DATABASE_URL });
  await connection.connect();
  await connection.query('begin');
  for (let made = 0; made < count; made += 1) {
    const { email } = leadInput();
    await connection.query(
      "insert into leads (id, name, email, status, source) values (new_uuid(), 'Slow', $1, 'new', 'api')",
      [email],
    );
  }
  const before = polls();
  await until(async () => polls() > before + 2, 60);
  await connection.query('commit');
  await connection.end();
}

/** Polls until all is written and nothing more comes. */
async function poll(isWriting: () => boolean, onPoll: () => void): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  let since = '2020-01-01T00:00:00Z';
  for (;;) {
    const wasWriting = isWriting();
    const from = since;
    const query = `/leads?updated_from=${from}&sort=updated_at&per_page=100`;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, meta } = await ask('GET', cursor === '' ? query : `${query}&cursor=${cursor}`);
      for (const { id, version, updated_at } of data) {
        seen.set(id, version);
        if (updated_at > since) since = updated_at;
      }
      cursor = meta.next_cursor;
    }
    onPoll();
    if (!wasWriting && since === from) return seen;
  }
}

describe('polling by the greatest updated_at', () => {
  it('misses none of 10,000 changes in singles, batches, imports and long transactions', async () => {
    let polls = 0;
    let isWriting = true;
    const polled = poll(
      () => isWriting,
      () => {
        polls += 1;
      },
    );
    const writers = [
      times(700, createOne),
      times(8, async () => changeMany(await createMany(400)), 2),
      times(2, () => importMany(750), 1),
      times(24, () => changeSlowly(60, () => polls), 3),
    ];
    await Promise.all(writers).finally(() => {
      isWriting = false;
    });
    const seen = await polled;

    const database = new pg.Client({ connectionString: external.env.DATABASE_URL });
    await database.connect();
    const { rows } = await database.query(`
      select count(*)::int as leads, sum(version)::int as changes from leads
    `);
    await database.end();
    expect(rows).toEqual([
      { leads: seen.size, changes: [...seen.values()].reduce((sum, one) => sum + one, 0) },
    ]);
    expect(rows[0].changes).toBeGreaterThanOrEqual(10_000);
    expect(polls).toBeGreaterThan(20);
  });
});
