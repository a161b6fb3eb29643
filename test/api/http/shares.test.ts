/** A client that takes all it can get waits or gets 503 itself; others are served within a second. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { requestHead } from '../../support/raw.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Place = 'production' | 'sandbox';

const MiB = 1024 * 1024;
const LEADS = 2_000;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  for (const { knex } of [app.production, app.sandbox]) {
    // 9 KB each: an export of them, and a batch of a thousand, are more than the system keeps of an answer that nobody reads.
    await knex.raw(
      `insert into leads (id, name, email, status, source, metadata)
       select new_uuid(), 'Lead ' || n, 'lead' || n || '@example.com', 'won', 'api', notes
       from (select jsonb_object_agg('note ' || n, repeat(md5(n::text), 15)) as notes from generate_series(1, 20) n) as own,
         generate_series(1, ${LEADS}) n`,
    );
    await knex.raw(
      "insert into content (id, title, slug, type, body) values (new_uuid(), 'Ada', 'ada', 'ebook', 'Ada')",
    );
  }
});

afterAll(() => app.close());

interface Hostile {
  client: TestClient;
  place: Place;
  /** Runs after the test. */
  after(end: () => unknown): void;
}

/** Sends the same request many times at the same time. */
function flood({ baseUrl, headers }: TestClient, count: number, method: string, path: string, body?: object) {
  const request = {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  };
  return Promise.all(
    Array.from({ length: count }, async () => {
      const response = await fetch(baseUrl + path, request);
      await response.arrayBuffer();
      return response.status;
    }),
  ).catch(() => undefined);
}

/** Sends a request on a connection of its own, and reads nothing of the answer. */
function ask(
  { client, after }: Hostile,
  method: string,
  path: string,
  body = '',
  length = body.length,
  mediaType = 'application/json',
): Socket {
  const { hostname, port, pathname } = new URL(client.baseUrl);
  const socket = connect(Number(port), hostname)
    .on('error', () => undefined)
    .pause();
  const type: Record<string, string> =
    method === 'GET' ? {} : { 'Content-Type': mediaType, 'Content-Length': String(length) };
  socket.write(requestHead(method, pathname + path, { ...client.headers, ...type }) + body);
  after(() => socket.destroy());
  return socket;
}

/** Holds the statement's locks until the test is over. */
async function hold({ place, after }: Hostile, statement: string): Promise<void> {
  const trx = await app[place].knex.transaction();
  await trx.raw(statement);
  after(() => trx.rollback());
}

/** Lists of content take two seconds until the test is over. */
async function slowDownContent({ place, after }: Hostile): Promise<void> {
  const { knex } = app[place];
  await knex.raw(
    `alter table content rename to real_content;
     create view content as select * from real_content where pg_sleep(2) is not null`,
  );
  after(() => knex.raw('drop view content; alter table real_content rename to content'));
}

async function waiting(place: Place): Promise<number> {
  const { rows } = await app[place].knex.raw(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

/** Begins the attack, and resolves once it has its effect. */
type Attack = (hostile: Hostile) => Promise<unknown>;

const attacks: Record<string, Attack> = {
  async 'changes one locked lead forty times'(hostile) {
    const { id } = await createLead(hostile.client, { name: 'Locked' });
    await hold(hostile, "select from leads where name = 'Locked' for update");
    void flood(hostile.client, 40, 'PATCH', `/leads/${id}`, { company: 'X' });
    await expect.poll(() => waiting(hostile.place)).toBeGreaterThan(1);
  },

  async 'waits forty times for the first request with its Idempotency-Key'(hostile) {
    const { knex } = app[hostile.place];
    const { rows } = await knex.raw('select id from api_clients order by id desc limit 1');
    const key = randomUUID();
    await hold(
      hostile,
      `insert into idempotency_keys (client_id, key, request_hash, operation) values ('${rows[0].id}', '${key}', '', 'createLead')`,
    );
    void flood(hostile.client.with({ 'Idempotency-Key': key }), 40, 'POST', '/leads', leadInput());
    await expect.poll(() => waiting(hostile.place)).toBeGreaterThan(1);
  },

  async 'searches forty times'(hostile) {
    await slowDownContent(hostile);
    void flood(hostile.client, 40, 'GET', '/content?search=ada');
    await sleep(200);
  },

  async 'asks for forty large pages'(hostile) {
    await slowDownContent(hostile);
    void flood(hostile.client, 40, 'GET', '/content?per_page=100');
    await sleep(200);
  },

  async 'reads nothing of the answers to its batches'(hostile) {
    const { rows } = await app[hostile.place].knex.raw('select id from leads limit 450');
    const body = JSON.stringify({ ids: rows.map(({ id }: { id: string }) => toId('lead', id)) });
    Array.from({ length: 6 }, () => ask(hostile, 'POST', '/leads/batch/read', body));
    await sleep(1_500);
  },

  async 'reads nothing of its exports'(hostile) {
    Array.from({ length: 8 }, () => ask(hostile, 'GET', '/leads/export'));
    await sleep(1_500);
  },

  async 'sends files without an end'(hostile) {
    const csv = 'name,email\n';
    for (let file = 0; file < 8; file += 1)
      ask(hostile, 'POST', '/imports?resource=leads', csv, MiB, 'text/csv');
    await sleep(200);
  },

  async 'sends large bodies without an end'(hostile) {
    for (let body = 0; body < 8; body += 1) ask(hostile, 'POST', '/leads/batch/create', '{', 8 * MiB);
    await sleep(200);
  },

  async 'sends batches of 8 MiB'(hostile) {
    const metadata = Object.fromEntries(
      Array.from({ length: 15 }, (_, key) => [`key-${key}`, 'é'.repeat(250)]),
    );
    const items = () => Array.from({ length: 1_000 }, () => leadInput({ metadata }));
    void flood(hostile.client, 3, 'POST', '/leads/batch/create', { items: items() });
    await sleep(200);
  },
};

/** What another client does during the attack. None of it waits for a query of the attack, which takes two seconds or more. */
async function expectServed(client: TestClient): Promise<void> {
  const lead = await createLead(client);
  const csv = { ...client.headers, 'Content-Type': 'text/csv' };
  const url = (path: string) => client.baseUrl + path;
  const requests: Record<string, () => Promise<number>> = {
    read: async () => (await client.get(`/leads/${lead.id}`)).status,
    list: async () => (await client.get('/users?per_page=100')).status,
    search: async () => (await client.get('/users?search=ada')).status,
    report: async () => (await client.get('/analytics/summary')).status,
    change: async () => (await client.patch(`/leads/${lead.id}`, { company: 'Y' })).status,
    batch: async () => (await client.post('/leads/batch/create', { items: [leadInput()] })).status,
    async export() {
      const response = await fetch(url('/leads/export?search=lead77'), { headers: client.headers });
      await response.arrayBuffer();
      return response.status;
    },
    upload: async () =>
      (
        await fetch(url('/imports?resource=leads&dry_run=true'), {
          method: 'POST',
          headers: csv,
          body: 'name,email\nAda,ada@example.com\n',
        })
      ).status,
  };
  for (const [what, send] of Object.entries(requests)) {
    const startedAt = performance.now();
    const status = await send();
    const ms = Math.round(performance.now() - startedAt);
    expect({ what, status, isLate: ms > 1_900 && ms }).toEqual({
      what,
      status: what === 'upload' ? 202 : 200,
      isLate: false,
    });
  }
}

describe.each<[Place, Place]>([
  ['production', 'production'],
  ['sandbox', 'production'],
  ['production', 'sandbox'],
])('while a client of %s', (place, otherPlace) => {
  it.each(Object.entries(attacks))(`%s, another one of ${otherPlace} is served`, async (_what, attack) => {
    const ends: (() => unknown)[] = [];
    const other = await app.client(undefined, otherPlace);
    const client = await app.client(undefined, place);
    try {
      await attack({ client, place, after: (end) => ends.push(end) });
      await expectServed(other);
    } finally {
      for (const end of ends) await end();
    }
    // Its requests end before the next test.
    await expect.poll(() => waiting(place)).toBe(0);
  });
});
