import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { follow, latest, record, testEvent, typesOf } from '../../support/events.ts';
import { asListed, content, expectRefusal, leads, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /events', () => {
  it('begins with the oldest and goes on from each cursor, each event once', async () => {
    const events = Array.from({ length: 23 }, testEvent);
    for (const event of events) await record(app, event);
    const walk = await follow(client, { per_page: '5' });
    expect(walk.pages).toBe(5);
    expect(walk.events.map(({ data }) => data.object)).toEqual(events.map(({ object }) => object));
    const again = await client.get(`/events?cursor=${walk.cursor}`).expect(200);
    expect(again.body).toEqual({ data: [], meta: { next_cursor: walk.cursor, has_more: false } });
    const [one, other] = [testEvent(), testEvent()];
    await record(app, one, other);
    const rest = await follow(client, { cursor: walk.cursor });
    expect(rest.events.map(({ data }) => data.object)).toEqual([one.object, other.object]);
  });

  it('reports whether there is more when the last event fills the page', async () => {
    const after = await latest(client);
    await record(app, testEvent(), testEvent());
    const full = await client.get(`/events?cursor=${after}&per_page=2`).expect(200);
    expect([full.body.data.length, full.body.meta.has_more]).toEqual([2, false]);
    const first = await client.get(`/events?cursor=${after}&per_page=1`).expect(200);
    expect([first.body.data.length, first.body.meta.has_more]).toEqual([1, true]);
  });

  it('returns a cursor for the present moment, followed only by later events', async () => {
    await record(app, testEvent());
    const { body } = await client.get('/events?cursor=latest').expect(200);
    expect(body).toEqual({ data: [], meta: { next_cursor: expect.any(String), has_more: false } });
    const event = testEvent();
    await record(app, event);
    const { events } = await follow(client, { cursor: body.meta.next_cursor });
    expect(events.map(({ data }) => data.object)).toEqual([event.object]);
  });

  it('links to the next page, with the filters', async () => {
    const { body, headers } = await client.get('/events?event_types=user.created&per_page=2').expect(200);
    expect(headers.link).toBe(
      `</v1/events?event_types=user.created&per_page=2&cursor=${body.meta.next_cursor}>; rel="next"`,
    );
  });

  it('filters by types', async () => {
    const after = await latest(client);
    const lead = await make(client, leads);
    await client.patch(`/leads/${lead.id}`, { status: 'contacted' }).expect(200);
    await make(client, users);
    const of = async (types: string) =>
      typesOf((await follow(client, { cursor: after, event_types: types })).events);
    expect(await of('lead.created')).toEqual(['lead.created']);
    expect(await of('user.created,lead.status_changed')).toEqual(['lead.status_changed', 'user.created']);
    expect(await of('content.archived')).toEqual([]);
  });

  it('filters by resource, of any kind', async () => {
    const piece = asListed(content, await make(client, content)) as { id: string };
    const made = [await make(client, leads), await make(client, users), piece];
    for (const { id } of made) {
      const { events } = await follow(client, { resource_id: id });
      expect(events.map(({ data }) => data.object)).toEqual([made.find((one) => one.id === id)]);
    }
    for (const unknown of ['lead_01h455vb4pex5vsknk084sn02q', 'lead_x', 'x', '_', 'nonsense_%00']) {
      const { events } = await follow(client, { resource_id: unknown });
      expect(events).toEqual([]);
    }
  });

  it('finds a rare type in a long log bit by bit', async () => {
    const after = await latest(client);
    const user = await make(client, users);
    // As if a hundred thousand other events lay between.
    await app.production.knex.raw(
      `select setval('event_positions', last_value + 100000) from event_positions`,
    );
    const other = await make(client, users);
    const walk = await follow(client, { cursor: after, event_types: 'user.created' });
    expect(walk.events.map(({ data }) => data.object.id)).toEqual([user.id, other.id]);
    expect(walk.pages).toBeGreaterThan(3);
    const found = await client.get(`/events?cursor=${walk.cursor}&event_types=user.created`).expect(200);
    expect(found.body).toEqual({ data: [], meta: { next_cursor: walk.cursor, has_more: false } });
  });

  it.each(['0', '501', 'x', '1.5'])('rejects the page size %s', async (per_page) => {
    await expectRefusal(client.get(`/events?per_page=${per_page}`), {
      status: 400,
      field: 'per_page',
      code: 'invalid_parameter',
    });
  });

  it.each(['x', '-1', 'cDEyMzQ1Njc4OTAxMjM0NTY3ODkw', 'bmV4dA', 'cC0x', '%0A'])(
    'refuses %s, which is no cursor of its own',
    async (after) => {
      const refusal = { status: 400, field: 'cursor', code: 'invalid_cursor' };
      await expectRefusal(client.get(`/events?cursor=${after}`), refusal);
    },
  );

  it('rejects a type that does not exist', async () => {
    await expectRefusal(client.get('/events?event_types=lead.created,lead.eaten'), {
      status: 400,
      field: 'event_types',
      code: 'invalid_parameter',
    });
  });

  it('keeps the environments apart', async () => {
    const sandbox = await app.client(undefined, 'sandbox');
    const lead = await make(sandbox, leads);
    expect((await follow(client, { resource_id: lead.id })).events).toEqual([]);
    const [event] = (await follow(sandbox, { resource_id: lead.id })).events;
    expect(event).toMatchObject({ type: 'lead.created', environment: 'sandbox' });
  });
});
