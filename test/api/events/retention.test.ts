/** Events are kept for 90 days, a whole UTC day at a time. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../src/db/db.ts';
import { deleteExpiredEvents, dropExpiredDays, prepareDays } from '../../../src/events/retention.ts';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { follow, latest } from '../../support/events.ts';
import { watchQueries } from '../../support/queries.ts';
import { expectRefusal, leads, make } from '../../support/resources.ts';

const NOW = new Date('2026-11-20T15:00:00.000Z');
/** With the days after each, they are those of the events below. */
const PAST = ['2026-07-30', '2026-08-15', '2026-08-22'];

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(undefined, 'sandbox');
});

afterAll(() => app.close());

beforeEach(() => client.post('/sandbox/reset').expect(200));

/** An event of that moment, straight in the table. Gives the id of its resource. */
async function eventAt(occurred_at: string): Promise<string> {
  const resource_id = newUuid();
  const id = toId('webhook', resource_id);
  await app.sandbox.knex.raw(
    `insert into events (id, type, occurred_at, request_id, actor_type, resource_id, object)
    values (new_uuid(?), 'webhook.test', ?, 'request-of-the-test', 'system', ?, ?)`,
    [occurred_at, occurred_at, resource_id, { id }],
  );
  return id;
}

/** What housekeeping does. */
async function expire(): Promise<void> {
  await dropExpiredDays(app.sandbox.db, NOW);
  while ((await deleteExpiredEvents(app.sandbox.db, NOW, 1)) === 1);
}

const resources = async () => (await follow(client)).events.map(({ data }) => data.object.id);

async function partitions(): Promise<string[]> {
  const { rows } = await app.sandbox.knex.raw(
    `select relid::text as name from pg_partition_tree('events') where level = 1 order by 1`,
  );
  return rows.map(({ name }: { name: string }) => name);
}

const lateNext = { status: 410, field: 'after', code: 'events_expired' };

describe('the days of the log', () => {
  it('are made ahead, each once', async () => {
    await prepareDays(app.sandbox.db, NOW);
    await prepareDays(app.sandbox.db, NOW);
    const names = await partitions();
    expect(names).toEqual(['events_20261120', 'events_20261121', ...names.slice(2)]);
    expect(names.slice(-2)).toEqual(['events_20261127', 'events_default']);
    expect(names).toHaveLength(9);
  });

  it('hold the events of that day, from its first to its last moment', async () => {
    await prepareDays(app.sandbox.db, new Date('2026-11-19T23:00:00.000Z'));
    await eventAt('2026-11-19T00:00:00.000Z');
    await eventAt('2026-11-19T23:59:59.999Z');
    await eventAt('2026-11-20T00:00:00.000Z');
    await eventAt('2020-01-01T00:00:00.000Z');
    const { rows } = await app.sandbox.knex.raw(
      'select tableoid::regclass::text as partition, count(*)::int from events group by 1 order by 1',
    );
    expect(rows).toEqual([
      { partition: 'events_20261119', count: 2 },
      { partition: 'events_20261120', count: 1 },
      { partition: 'events_default', count: 1 },
    ]);
  });

  it('are left out where the default partition has events of them already', async () => {
    const id = await eventAt('2026-10-02T12:00:00.000Z');
    await prepareDays(app.sandbox.db, new Date('2026-10-01T12:00:00.000Z'));
    const names = await partitions();
    expect(names).toEqual(expect.arrayContaining(['events_20261001', 'events_20261003']));
    expect(names).not.toContain('events_20261002');
    expect(await resources()).toEqual([id]);
  });
});

describe('a long reader of the log', () => {
  it.each([
    ['making', 8, (db: Db) => prepareDays(db, new Date('2026-07-30'))],
    ['dropping', 0, (db: Db) => dropExpiredDays(db, NOW)],
  ] as const)('delays %s days, while others read and write', async (_, days, work) => {
    const { db, knex } = app.production;
    const other = await app.client();
    const queries = watchQueries(app);
    const reader = await knex.transaction();
    await reader.raw('select from events');
    const working = work(db);
    const attempts = () => queries.sent.filter((text) => /(prepare|drop)_event_day/.test(text));
    await expect.poll(() => attempts().length).toBeGreaterThan(1);
    const { id } = await make(other, leads);
    const { body } = await other.get(`/leads/${id}/events`).expect(200);
    expect(body.meta.total).toBe(1);
    await reader.rollback();
    await working;
    const { rows } = await knex.raw(`select from pg_partition_tree('events') where level = 1`);
    expect(rows.length - 1).toBe(days);
  });
});

describe('after 90 days', () => {
  it.each([[], PAST])(
    'events are dropped, from the days prepared on %j or by themselves',
    async (...days) => {
      for (const day of days) await prepareDays(app.sandbox.db, new Date(day));
      await eventAt('2026-08-21T23:59:59.999Z');
      const kept = [await eventAt('2026-08-22T00:00:00.000Z'), await eventAt('2026-11-20T14:00:00.000Z')];
      await expire();
      expect(await resources()).toEqual(kept);
      expect((await partitions()).some((name) => name < 'events_20260822')).toBe(false);
    },
  );

  it.each([[], PAST])(
    'a cursor before them is 410, and none behind them, with days from %j on',
    async (...days) => {
      for (const day of days) await prepareDays(app.sandbox.db, new Date(day));
      const before = await latest(client);
      await eventAt('2026-08-01T00:00:00.000Z');
      const between = await latest(client);
      await eventAt('2026-08-02T00:00:00.000Z');
      const behind = await latest(client);
      const kept = await eventAt('2026-11-20T14:00:00.000Z');
      await expire();
      for (const after of [before, between]) {
        const { message } = await expectRefusal(client.get(`/events?after=${after}`), lateNext);
        expect(message).toContain('kept for 90 days');
      }
      const { events } = await follow(client, { after: behind });
      expect(events.map(({ data }) => data.object.id)).toEqual([kept]);
      expect(await resources()).toEqual([kept]);
    },
  );

  it('nothing is dropped twice, and an idle reader stays where it is', async () => {
    await eventAt('2026-08-01T00:00:00.000Z');
    const after = await latest(client);
    await expire();
    await expire();
    expect((await follow(client, { after })).events).toEqual([]);
  });

  it('an event is a 404', async () => {
    await eventAt('2026-08-01T00:00:00.000Z');
    const [event] = (await follow(client)).events;
    await client.get(`/events/${event?.id}`).expect(200);
    await expire();
    await client.get(`/events/${event?.id}`).expect(404);
  });
});

describe('a reset of the sandbox', () => {
  it('makes cursors from before it a 410, and the log begin anew', async () => {
    const before = await latest(client);
    await make(client, leads);
    await client.post('/sandbox/reset').expect(200);
    await expectRefusal(client.get(`/events?after=${before}`), lateNext);
    expect((await follow(client)).events).toEqual([]);
    const lead = await make(client, leads);
    expect(await resources()).toEqual([lead.id]);
  });

  it('is noticed by a client that has read all events', async () => {
    await make(client, leads);
    const end = await latest(client);
    await client.post('/sandbox/reset').expect(200);
    await expectRefusal(client.get(`/events?after=${end}`), lateNext);
    const begin = await latest(client);
    const lead = await make(client, leads);
    const { body } = await client.get(`/events?after=${begin}`).expect(200);
    expect(body.data.map(({ data }: { data: { object: { id: string } } }) => data.object.id)).toEqual([
      lead.id,
    ]);
  });
});
