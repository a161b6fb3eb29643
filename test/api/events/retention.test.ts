/** Events are kept for 90 days, a whole UTC day at a time. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteExpiredEvents } from '../../../src/events/retention.ts';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { follow, latest } from '../../support/events.ts';
import { expectRefusal, leads, make } from '../../support/resources.ts';

const NOW = new Date('2026-11-20T15:00:00.000Z');

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(undefined, 'sandbox');
});

afterAll(() => app.close());

beforeEach(() => client.post('/sandbox/reset').expect(200));

/** Inserts an event of that time directly. Returns the id of its resource. */
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

/** Works like housekeeping. */
async function expire(): Promise<void> {
  while ((await deleteExpiredEvents(app.sandbox.db, NOW, 1)) === 1);
}

const resources = async () => (await follow(client)).events.map(({ data }) => data.object.id);

const lateNext = { status: 410, field: 'cursor', code: 'events_expired' };

describe('after 90 days', () => {
  it('events are deleted, a whole UTC day at a time', async () => {
    await eventAt('2020-01-01T00:00:00.000Z');
    await eventAt('2026-08-21T23:59:59.999Z');
    const kept = [await eventAt('2026-08-22T00:00:00.000Z'), await eventAt('2026-11-20T14:00:00.000Z')];
    await expire();
    expect(await resources()).toEqual(kept);
  });

  it('a cursor before them is 410, and a cursor after them continues', async () => {
    const before = await latest(client);
    await eventAt('2026-08-01T00:00:00.000Z');
    const between = await latest(client);
    await eventAt('2026-08-02T00:00:00.000Z');
    const behind = await latest(client);
    const kept = await eventAt('2026-11-20T14:00:00.000Z');
    await expire();
    for (const after of [before, between]) {
      const { message } = await expectRefusal(client.get(`/events?cursor=${after}`), lateNext);
      expect(message).toContain('kept for 90 days');
    }
    const { events } = await follow(client, { cursor: behind });
    expect(events.map(({ data }) => data.object.id)).toEqual([kept]);
    expect(await resources()).toEqual([kept]);
  });

  it('a cursor into an empty log continues after a position that was rolled back', async () => {
    const after = await latest(client);
    await app.sandbox.knex.raw("select nextval('event_positions')");
    const kept = await eventAt('2026-11-20T14:00:00.000Z');
    await expire();
    const { events } = await follow(client, { cursor: after });
    expect(events.map(({ data }) => data.object.id)).toEqual([kept]);
  });

  it('a batch leaves an event to the next one while somebody writes it', async () => {
    await eventAt('2026-08-01T00:00:00.000Z');
    const locked = await eventAt('2026-08-02T00:00:00.000Z');
    const writer = await app.sandbox.knex.transaction();
    await writer.raw("select from events where object ->> 'id' = ? for update", [locked]);
    expect(await deleteExpiredEvents(app.sandbox.db, NOW, 10)).toBe(1);
    await writer.rollback();
    expect(await resources()).toEqual([locked]);
    expect(await deleteExpiredEvents(app.sandbox.db, NOW, 10)).toBe(1);
    expect(await resources()).toEqual([]);
  });

  it('nothing is dropped twice, and an idle reader stays where it is', async () => {
    await eventAt('2026-08-01T00:00:00.000Z');
    const after = await latest(client);
    await expire();
    await expire();
    expect((await follow(client, { cursor: after })).events).toEqual([]);
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
  it('makes earlier cursors a 410, and the log start again', async () => {
    const before = await latest(client);
    await make(client, leads);
    await client.post('/sandbox/reset').expect(200);
    await expectRefusal(client.get(`/events?cursor=${before}`), lateNext);
    expect((await follow(client)).events).toEqual([]);
    const lead = await make(client, leads);
    expect(await resources()).toEqual([lead.id]);
  });

  it('is noticed by a client that has read all events', async () => {
    await make(client, leads);
    const end = await latest(client);
    await client.post('/sandbox/reset').expect(200);
    await expectRefusal(client.get(`/events?cursor=${end}`), lateNext);
    const begin = await latest(client);
    const lead = await make(client, leads);
    const { body } = await client.get(`/events?cursor=${begin}`).expect(200);
    expect(body.data.map(({ data }: { data: { object: { id: string } } }) => data.object.id)).toEqual([
      lead.id,
    ]);
  });
});
