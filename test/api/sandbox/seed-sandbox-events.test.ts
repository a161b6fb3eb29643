import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { seed } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { type Event, follow, listAll, replay, typesOf } from '../../support/events.ts';

const LEADS = 300;

let app: TestApp;
let client: TestClient;
let events: Event[];

beforeAll(async () => {
  // The data ends with the last whole day, so the day must not change during the test.
  vi.useFakeTimers({ toFake: ['Date'] });
  app = await startTestApp({ sandbox: true });
  client = await app.client(undefined, 'sandbox');
  await seed(app, client, { leads: LEADS });
  events = (await follow(client, { per_page: '500' })).events;
});

afterAll(async () => {
  vi.useRealTimers();
  await app.close();
});

/** The parts of events that the seed determines: everything but ids. */
const shapes = (of: readonly Event[]) =>
  of.map(({ type, occurred_at, data }) => [type, occurred_at, Object.keys(data.changes)]);

describe('the events of made-up data', () => {
  it.each([
    ['lead', '/leads'],
    ['contact', '/contacts'],
    ['content', '/content'],
    ['user', '/users'],
  ])('rebuild the %ss', async (kind, path) => {
    const table = await listAll(client, path);
    expect(table.size).toBeGreaterThanOrEqual(10);
    expect(replay(events, kind)).toEqual(table);
  });

  it('are of every kind that has a past, and of no other', () => {
    expect([...new Set(typesOf(events))].sort()).toEqual([
      'contact.created',
      'content.archived',
      'content.created',
      'content.published',
      'content.updated',
      'lead.converted',
      'lead.created',
      'lead.reopened',
      'lead.status_changed',
      'lead.updated',
      'user.created',
      'user.updated',
    ]);
  });

  it('lie where the changes lie, in the last 90 days', () => {
    const [first, last] = [Date.now() - 90 * 86_400_000, Date.now()];
    for (const { type, occurred_at, data } of events) {
      const { created_at, updated_at } = data.object as { created_at: string; updated_at: string };
      expect(occurred_at).toBe(type.endsWith('.created') ? created_at : updated_at);
      expect(Date.parse(occurred_at)).toBeGreaterThan(first);
      expect(Date.parse(occurred_at)).toBeLessThan(last);
    }
  });

  it("agree with the leads' histories", async () => {
    const { rows } = await app.sandbox.knex.raw(`
      select lead_id, changed_at from lead_status_changes where from_status is not null
      except select resource_id, occurred_at from events where type = 'lead.status_changed'`);
    expect(rows).toEqual([]);
    const converted = events.find(({ type }) => type === 'lead.converted');
    const { body } = await client.get(`/leads/${converted?.data.object.id}/events`).expect(200);
    expect(typesOf(body.data).slice(0, 3)).toEqual(['lead.converted', 'lead.status_changed', 'lead.updated']);
    expect(typesOf(body.data).at(-1)).toBe('lead.created');
  });

  it("are the service's own, of the request that made them, and the same for the same seed", async () => {
    const requests = new Set(events.map(({ request_id, actor }) => JSON.stringify([request_id, actor])));
    expect([...requests]).toEqual([
      expect.stringMatching(/^\["[^"]+",\{"type":"system","id":null,"user_id":null\}\]$/),
    ]);
    await client.post('/sandbox/reset').expect(200);
    await seed(app, client, { leads: LEADS });
    const again = await follow(client, { per_page: '500' });
    expect(shapes(again.events)).toEqual(shapes(events));
  });
});
