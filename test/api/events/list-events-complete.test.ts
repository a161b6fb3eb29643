/** No event is ever skipped. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDatabase, migrate } from '../../../src/db/migrate.ts';
import { sessionTimeouts } from '../../../src/db/pool/timeouts.ts';
import { startEmbedded } from '../../../src/embedded-postgres/server.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { copyCluster } from '../../support/database.ts';
import { follow, latest, record, recordIn, testEvent } from '../../support/events.ts';
import { openTransaction } from '../../support/transactions.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

const objects = async (as: TestClient, after: string, per_page = '500') =>
  (await follow(as, { cursor: after, per_page })).events.map(({ data }) => data.object);

describe('a reader of GET /events', () => {
  it('waits for a transaction that drew its place in the order and is yet to commit', async () => {
    const after = await latest(client);
    const [early, late, later] = [testEvent(), testEvent(), testEvent()];
    await record(app, early);
    const slow = await openTransaction(app.production.db);
    await recordIn(slow.db, late);
    await record(app, later);
    const first = await follow(client, { cursor: after });
    expect(first.events.map(({ data }) => data.object)).toEqual([early.object]);
    expect((await follow(client, { cursor: first.cursor })).events).toEqual([]);
    expect(await objects(client, await latest(client))).toEqual([]);
    await slow.commit();
    expect(await objects(client, first.cursor)).toEqual([late.object, later.object]);
  });

  it('waits for it also from the beginning of a log that looks empty', async () => {
    const fresh = await startTestApp({ sandbox: true });
    try {
      const reader = await fresh.client();
      const [early, late] = [testEvent(), testEvent()];
      const slow = await openTransaction(fresh.production.db);
      await recordIn(slow.db, early);
      await record(fresh, late);
      const first = await follow(reader);
      expect(first.events).toEqual([]);
      await slow.commit();
      const all = [early, late].map(({ object }) => object);
      expect(await objects(reader, first.cursor)).toEqual(all);
      expect((await follow(reader)).events.map(({ data }) => data.object)).toEqual(all);
    } finally {
      await fresh.close();
    }
  });

  it('continues immediately when such a transaction is rolled back', async () => {
    const after = await latest(client);
    const [never, later] = [testEvent(), testEvent()];
    const slow = await openTransaction(app.production.db);
    await recordIn(slow.db, never);
    await record(app, later);
    expect(await objects(client, after)).toEqual([]);
    await slow.rollback();
    expect(await objects(client, after)).toEqual([later.object]);
  });

  it('goes on within 6 seconds when the process that holds such a transaction is frozen', async () => {
    const after = await latest(client);
    const later = testEvent();
    // With the limits of the service, and without its own watch over the connections.
    const frozen = new pg.Client({ connectionString: app.databases[0]?.url, ...sessionTimeouts });
    frozen.on('error', () => undefined);
    await frozen.connect();
    await frozen.query(`begin;
      insert into events (type, request_id, actor_type, resource_id, object)
        values ('lead.created', 'frozen', 'system', new_uuid(), '{}')`);
    const frozenAt = performance.now();
    await record(app, later);
    const isThere = async () => (await objects(client, after)).length;
    await expect.poll(isThere, { timeout: 15_000, interval: 100 }).toBe(1);
    expect(performance.now() - frozenAt).toBeGreaterThan(4_000);
    expect(performance.now() - frozenAt).toBeLessThan(6_000);
    expect(await objects(client, after)).toEqual([later.object]);
    await expect(frozen.query('commit')).rejects.toThrow();
  });

  it('gets every event while many transactions overlap', async () => {
    const after = await latest(client);
    const events = Array.from({ length: 120 }, testEvent);
    const seen: unknown[] = [];
    let cursor = after;
    let writing = true;
    const read = async () => {
      while (writing) {
        const walk = await follow(client, { cursor: cursor, per_page: '7' });
        seen.push(...walk.events.map(({ data }) => data.object));
        cursor = walk.cursor;
      }
    };
    // Four writers; each holds every third transaction open while the others go on.
    const write = async (writer: number) => {
      for (let n = writer; n < events.length; n += 4) {
        const trx = await openTransaction(app.production.db);
        await recordIn(trx.db, ...events.slice(n, n + 1));
        if (n % 3 === 0) await sleep(20);
        await trx.commit();
      }
    };
    const writers = Promise.all([0, 1, 2, 3].map(write)).finally(() => {
      writing = false;
    });
    await Promise.all([writers, read()]);
    seen.push(...(await objects(client, cursor)));
    expect(seen).toHaveLength(events.length);
    expect(new Set(seen.map((object) => JSON.stringify(object)))).toEqual(
      new Set(events.map(({ object }) => JSON.stringify(object))),
    );
    expect(await objects(client, after, '11')).toEqual(seen);
  });
});

/** What a dump and restore of the log carry over: the rows and the sequence's position. */
async function restore(from: Knex, to: Knex): Promise<void> {
  for (const table of ['events', 'event_retention']) {
    const dump = await from.raw(`select coalesce(json_agg(r), '[]')::text as rows from ${table} r`);
    await to.raw(`truncate ${table}`);
    await to.raw(`insert into ${table} select * from json_populate_recordset(null::${table}, ?)`, [
      dump.rows[0].rows,
    ]);
  }
  const { rows } = await from.raw('select last_value from event_positions');
  await to.raw(`select setval('event_positions', ?)`, [rows[0].last_value]);
}

const lastTransaction = async (db: Knex) =>
  Number((await db.raw('select pg_current_xact_id()::text as id')).rows[0].id);

describe('a reader whose database was moved to another cluster by dump and restore', () => {
  it('continues where it was, although transaction ids start again', async () => {
    const after = await latest(client);
    const [read, unread] = [testEvent(), testEvent()];
    await record(app, read);
    const { cursor } = await follow(client, { cursor: after });
    await record(app, unread);
    const dataDir = await mkdtemp(join(tmpdir(), 'lead-pipeline-test-'));
    copyCluster(dataDir);
    const cluster = await startEmbedded(dataDir);
    try {
      const url = cluster.url('lead_pipeline_production');
      await ensureDatabase(cluster.url('postgres'), 'lead_pipeline_production');
      await migrate(url, 'production');
      const db = createKnex({ client: 'pg', connection: url });
      await restore(app.production.knex, db);
      expect(await lastTransaction(db)).toBeLessThan(await lastTransaction(app.production.knex));
      await db.destroy();
      const databases = [url, app.databases[1]?.url ?? ''].map((own) => ({
        url: own,
        drop: async () => undefined,
      }));
      const moved = await startTestApp({ beside: { ...app, databases } });
      try {
        const reader = await moved.client();
        expect(await objects(reader, cursor)).toEqual([unread.object]);
        const [slowly, quickly] = [testEvent(), testEvent()];
        const slow = await openTransaction(moved.production.db);
        await recordIn(slow.db, slowly);
        await record(moved, quickly);
        expect(await objects(reader, cursor)).toEqual([unread.object]);
        await slow.commit();
        const all = [unread, slowly, quickly].map(({ object }) => object);
        expect(await objects(reader, cursor)).toEqual(all);
        expect(await objects(reader, after)).toEqual([read.object, ...all]);
      } finally {
        await moved.close();
      }
    } finally {
      await cluster.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 60_000);
});
