import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Event, eventsOf, typesOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** A lead with this many changes of its company. */
async function leadWithChanges(count: number): Promise<string> {
  const { id } = await createLead(client);
  for (let n = 1; n <= count; n += 1) await client.patch(`/leads/${id}`, { company: `Company ${n}` });
  return id;
}

describe('GET /leads/{id}/events', () => {
  it('is the history of the lead alone, the newest first, as the log has it', async () => {
    const id = await leadWithChanges(2);
    await createLead(client);
    const reader = await app.client(['leads:read']);
    const { body, headers } = await reader.get(`/leads/${id}/events`).expect(200);
    expect(typesOf(body.data)).toEqual(['lead.updated', 'lead.updated', 'lead.created']);
    const logged = (await eventsOf(client, id)).reverse();
    const named = ({ actor }: Event) => ({ ...actor, name: 'Test', user_name: null });
    expect(body.data).toEqual(logged.map((event) => ({ ...event, actor: named(event) })));
    expect(body.meta).toEqual({
      total: 3,
      per_page: 20,
      current_page: 1,
      last_page: 1,
      next_cursor: null,
      has_more: false,
    });
    expect(headers.link).toContain(`</v1/leads/${id}/events?per_page=20&page=1>; rel="first"`);
  });

  it('is paged by number and by cursor, which meets nothing twice while the lead changes', async () => {
    const id = await leadWithChanges(6);
    const second = await client.get(`/leads/${id}/events?per_page=3&page=2`).expect(200);
    expect(second.body.meta).toMatchObject({ total: 7, current_page: 2, last_page: 3 });
    const companies = (events: Event[]) =>
      events.map(({ data }) => (data.object as { company: string }).company);
    expect(companies(second.body.data)).toEqual(['Company 3', 'Company 2', 'Company 1']);
    const first = await client.get(`/leads/${id}/events?per_page=3`).expect(200);
    await client.patch(`/leads/${id}`, { company: 'Newest' }).expect(200);
    const { next_cursor: cursor } = first.body.meta;
    const next = await client.get(`/leads/${id}/events?per_page=3&cursor=${cursor}`).expect(200);
    expect(next.body.data).toEqual(second.body.data);
  });

  it('can be narrowed to types', async () => {
    const id = await leadWithChanges(2);
    await client.patch(`/leads/${id}`, { status: 'won' }).expect(200);
    const { body } = await client.get(`/leads/${id}/events?event_types=lead.status_changed,lead.created`);
    expect(typesOf(body.data)).toEqual(['lead.status_changed', 'lead.created']);
    expect(body.meta.total).toBe(2);
  });

  it.each(['x', 'W10', 'WyItMSIsIjAxOWQzMjRhIiwxLCJ4Il0'])('rejects the cursor %s', async (cursor) => {
    const id = await leadWithChanges(0);
    const refusal = { status: 400, field: 'cursor', code: 'invalid_cursor' };
    await expectRefusal(client.get(`/leads/${id}/events?cursor=${cursor}`), refusal);
  });

  it('is gone with the lead, but stays in the log', async () => {
    const id = await leadWithChanges(1);
    await client.delete(`/leads/${id}`).expect(204);
    await client.get(`/leads/${id}/events`).expect(404);
    expect(typesOf(await eventsOf(client, id)).at(-1)).toBe('lead.deleted');
  });
});
