import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { latest, record, testEvent } from '../../support/events.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /events?wait=', () => {
  it.each(['-1', '31', '1.5', 'x'])('rejects the waiting time %s', async (given) => {
    const { body } = await client.get(`/events?wait=${given}`).expect(400);
    expect(Object.keys(body.errors)).toEqual(['wait']);
  });

  it('answers 410 to a cursor of deleted events, even if no event followed', async () => {
    const fresh = await startTestApp();
    const reader = await fresh.client();
    // Waits once, so that this is the end of the log as far as the service has seen.
    const { body } = await reader.get('/events?cursor=latest&wait=1').expect(200);
    await record(fresh, testEvent(), testEvent());
    await fresh.production.knex.raw(
      `with gone as (delete from events returning position)
       update event_retention set dropped_through = (select max(position) from gone)`,
    );
    await reader.get(`/events?cursor=${body.meta.next_cursor}&wait=30`).expect(410);
    await fresh.close();
  });

  it('rejects an invalid cursor, or one beyond the end of the log, immediately', async () => {
    await client.get('/events?cursor=x&wait=30').expect(400);
    await record(app, testEvent(), testEvent());
    const after = await latest(client);
    const fresh = await startTestApp();
    const reader = await fresh.client();
    const { body } = await reader.get(`/events?cursor=${after}&wait=30`).expect(410);
    expect(body.code).toBe('log_restored');
    await fresh.close();
  });
});
