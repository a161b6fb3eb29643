import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid, toId } from '../../../src/db/id.ts';
import { recordEvents } from '../../../src/events/record-events.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

describe('GET /events/{id}', () => {
  it('shows who did what, when and in which request', async () => {
    const client = await app.client(['events:read']);
    const uuid = newUuid();
    const object = { id: toId('webhook', uuid) };
    const clientId = newUuid();
    const recorder = {
      ...app.production,
      actor: { type: 'client' as const, id: clientId },
      requestId: 'request-of-the-test',
    };
    await recordEvents(recorder, [{ type: 'webhook.test', resourceId: uuid, object }]);
    const { rows } = await app.production.db.raw('select id from events where resource_id = ?', [uuid]);
    const id = toId('event', rows[0].id);
    const { body, headers } = await client.get(`/events/${id}`).expect(200);
    expect(body.data).toEqual({
      type: 'webhook.test',
      id,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      environment: 'production',
      request_id: 'request-of-the-test',
      actor: { type: 'client', id: toId('client', clientId) },
      data: { object, changes: {} },
    });
    await client
      .with({ 'If-None-Match': headers.etag ?? '' })
      .get(`/events/${id}`)
      .expect(304);
  });
});
