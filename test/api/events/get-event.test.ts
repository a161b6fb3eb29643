import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, record, testEvent } from '../../support/events.ts';
import { leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /events/{id}', () => {
  it('shows the event as the log does, to clients that may read events', async () => {
    const lead = await make(client, leads);
    const [event] = await eventsOf(client, lead.id);
    const reader = await app.client(['events:read']);
    const { body } = await reader.get(`/events/${event?.id}`).expect(200);
    expect(body).toEqual({ data: event });
    expect(event).toEqual({
      type: 'lead.created',
      id: expect.stringMatching(/^event_[0-7][0-9a-z]{25}$/),
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      environment: 'production',
      request_id: expect.any(String),
      actor: { type: 'client', id: expect.stringMatching(/^client_/), user_id: null },
      data: { object: lead, changes: {} },
    });
  });

  it('has the actor "system" for changes by the service itself', async () => {
    const event = testEvent();
    await record(app, event);
    const [recorded] = await eventsOf(client, event.object.id);
    const { body } = await client.get(`/events/${recorded?.id}`).expect(200);
    expect(body.data).toMatchObject({ type: 'webhook.test', actor: { type: 'system', id: null } });
  });

  it('is a 304 until the person it is about is erased', async () => {
    const lead = await make(client, leads);
    const [event] = await eventsOf(client, lead.id);
    const path = `/events/${event?.id}`;
    const { headers } = await client.get(path).expect(200);
    const conditional = client.with({ 'If-None-Match': headers.etag ?? '' });
    await conditional.get(path).expect(304);
    await client.delete(`/leads/${lead.id}`).expect(204);
    const { body } = await conditional.get(path).expect(200);
    expect(body.data.data.object.name).toBe('Erased');
  });

  it.each(['event_x', 'x', toId('event', newUuid()), toId('lead', newUuid())])(
    'is a 404 for %s',
    async (id) => {
      await client.get(`/events/${id}`).expect(404);
    },
  );
});
