/** A restore puts the log back to an older state, from which it grows again: the same positions have other events. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createTestDatabase } from '../../support/database.ts';
import { follow, latest, record, testEvent } from '../../support/events.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

const isRestored = { status: 410, field: 'cursor', code: 'log_restored' };

/** Records that many events. Returns the ids of their resources. */
async function grow(on: TestApp, count: number): Promise<string[]> {
  const events = Array.from({ length: count }, testEvent);
  await record(on, ...events);
  return events.map(({ object }) => object.id);
}

async function idsAfter(reader: TestClient, after: string): Promise<string[]> {
  return (await follow(reader, { cursor: after })).events.map(({ data }) => data.object.id);
}

/** What a restore does to the log under a running service. */
async function putBack(on: TestApp, position: number): Promise<void> {
  await on.production.knex.raw('delete from events where position > ?', [position]);
  await on.production.knex.raw(`select setval('event_positions', ?)`, [position]);
}

async function lastPosition(): Promise<number> {
  const { rows } = await app.production.knex.raw('select max(position) as last from events');
  return Number(rows[0].last);
}

const encode = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

describe('a database that is restored from a backup', () => {
  it('rejects cursors from behind the backup for ever, and reads on from those before it', async () => {
    const { knex } = app.production;
    const original = await createTestDatabase();
    const backup = `backup_${newUuid().replaceAll('-', '')}`;
    const copy = new URL(original.url);
    copy.pathname = backup;
    /** The service on this database, until `use` is done. */
    const run = async (url: string, use: (service: TestApp, reader: TestClient) => Promise<void>) => {
      const databases = [url, app.databases[1]?.url ?? ''].map((own) => ({ url: own, drop: async () => {} }));
      const service = await startTestApp({ beside: { ...app, databases } });
      await use(service, await service.client());
      await service.close();
    };
    try {
      let kept = '';
      let lost = '';
      let filtered = '';
      await run(original.url, async (service, reader) => {
        await grow(service, 3);
        kept = await latest(reader);
      });
      const name = new URL(original.url).pathname.slice(1);
      // Nobody else may use the original while it is copied.
      await knex.raw('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ?', [
        name,
      ]);
      await knex.raw(`create database ${backup} template ${name}`);
      await run(original.url, async (service, reader) => {
        await grow(service, 20);
        lost = await latest(reader);
        filtered = (await follow(reader, { cursor: kept, event_types: 'lead.created' })).cursor;
      });
      await run(copy.href, async (service, reader) => {
        const { message } = await expectRefusal(reader.get(`/events?cursor=${lost}`), isRestored);
        expect(message).toContain('restored from a backup');
        const grown = await grow(service, 50);
        await expectRefusal(reader.get(`/events?cursor=${lost}`), isRestored);
        await expectRefusal(reader.get(`/events?cursor=${lost}&wait=30`), isRestored);
        await expectRefusal(reader.get(`/events?cursor=${filtered}&event_types=lead.created`), isRestored);
        expect(await idsAfter(reader, kept)).toEqual(grown);
      });
    } finally {
      await original.drop();
      await knex.raw(`drop database if exists ${backup} with (force)`);
    }
  });

  it('reads the events that take positions which the cursor saw unused', async () => {
    await grow(app, 1);
    const end = await lastPosition();
    await app.production.knex.raw(`select nextval('event_positions') from generate_series(1, 5)`);
    const cursors = [
      await latest(client),
      (await follow(client)).cursor,
      (await follow(client, { event_types: 'user.created' })).cursor,
    ];
    await putBack(app, end);
    const grown = await grow(app, 3);
    for (const cursor of cursors) expect(await idsAfter(client, cursor)).toEqual(grown);
  });

  it('tells waiting clients', async () => {
    await grow(app, 1);
    const end = await lastPosition();
    await grow(app, 10);
    const after = await latest(client);
    // Waits once, so that this is the end of the log as far as the service has seen.
    await client.get(`/events?cursor=${after}&wait=1`).expect(200);
    const answer = client.get(`/events?cursor=${after}&wait=30`).then((response) => response);
    await putBack(app, end);
    expect((await answer).body.code).toBe('log_restored');
    const next = client.get(`/events?cursor=${await latest(client)}&wait=30`).then((response) => response);
    const [grown] = await grow(app, 1);
    expect((await next).body.data).toMatchObject([{ data: { object: { id: grown } } }]);
  });
});

describe('a cursor of version 1.0.0, which has a position alone', () => {
  it('continues there, and is followed by one that names its event', async () => {
    await grow(app, 1);
    const end = await lastPosition();
    const grown = await grow(app, 2);
    const old = encode('production', end);
    expect(await idsAfter(client, old)).toEqual(grown);
    const { cursor } = await follow(client, { cursor: encode('production', await lastPosition()) });
    expect(cursor).toBe(await latest(client));
    expect(cursor).not.toBe(encode('production', await lastPosition()));
  });

  it('is refused beyond the end', async () => {
    await expectRefusal(client.get(`/events?cursor=${encode('production', 99_999_999_999)}`), isRestored);
  });
});

describe('a cursor', () => {
  it('is refused if its event never was', async () => {
    await grow(app, 1);
    const name = Buffer.from(newUuid().replaceAll('-', ''), 'hex').toString('base64url');
    const forged = encode('production', await lastPosition(), name);
    await expectRefusal(client.get(`/events?cursor=${forged}`), isRestored);
  });

  it.each([
    ['production', 1, 'x'],
    ['production', 1, 7],
    ['production', 1, 'AAAAAAAAAAAAAAAAAAAAAA', -1],
  ])('is refused if it is malformed: %s %s %s', async (...parts) => {
    const refusal = { status: 400, field: 'cursor', code: 'invalid_cursor' };
    await expectRefusal(client.get(`/events?cursor=${encode(...parts)}`), refusal);
  });

  it('has at most 100 characters, however long the log', async () => {
    await app.production.knex.raw(`select setval('event_positions', 9007199254740000)`);
    await grow(app, 1);
    await app.production.knex.raw(`select nextval('event_positions')`);
    const after = await latest(client);
    expect(after.length).toBeLessThanOrEqual(100);
    await client.get(`/events?cursor=${after}`).expect(200);
  });
});
