/** Reads the event log. */
import type { components } from '../../generated/api.ts';
import type { Db } from '../../src/db/db.ts';
import { knex } from '../../src/db/query.ts';
import { type NewEvent, recordEvents } from '../../src/events/record-events.ts';
import { newUuid, toId } from '../../src/values/id.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';

export type Event = components['schemas']['ApiEvent'];

/** An event without a change; `id` is that of its resource. */
export function testEvent(): NewEvent & { object: { id: string } } {
  return { type: 'webhook.test', object: { id: toId('webhook', newUuid()) } };
}

/** What recording needs in addition to a transaction. */
const recorder = {
  actor: { type: 'system', id: null, userId: null },
  requestId: 'request-of-the-test',
} as const;

/** Records events in one transaction of production. */
export async function record(app: TestApp, ...events: NewEvent[]): Promise<void> {
  await app.production.db.transaction((db) => recordEvents({ ...recorder, db }, events));
}

/** Records events in an open transaction, and waits until PostgreSQL has them. */
export async function recordIn(db: Db, ...events: NewEvent[]): Promise<void> {
  await recordEvents({ ...recorder, db }, events);
  await db.run(knex.raw('select 1'));
}

interface Walk {
  events: Event[];
  /** Where it ended. */
  cursor: string;
  pages: number;
}

/** Reads the log to its current end. */
export async function follow(client: TestClient, query: Record<string, string> = {}): Promise<Walk> {
  const walk: Walk = { events: [], cursor: query.cursor ?? '', pages: 0 };
  for (let more = true; more; walk.pages += 1) {
    const parameters = new URLSearchParams({ ...query, ...(walk.cursor !== '' && { cursor: walk.cursor }) });
    const { body } = await client.get(`/events?${parameters}`).expect(200);
    walk.events.push(...body.data);
    walk.cursor = body.meta.next_cursor;
    more = body.meta.has_more;
  }
  return walk;
}

/** The cursor of the present moment. */
export async function latest(client: TestClient): Promise<string> {
  const { body } = await client.get('/events?cursor=latest').expect(200);
  return body.meta.next_cursor;
}

/** All events of a resource, the oldest first. */
export async function eventsOf(client: TestClient, id: string): Promise<Event[]> {
  return (await follow(client, { resource_id: id, per_page: '500' })).events;
}

export function typesOf(events: readonly Event[]): string[] {
  return events.map(({ type }) => type);
}

/** The resources that exist after these events, by id, for a follower of creations, changes and deletions. */
export function replay(events: readonly Event[], kind: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { type, data } of events) {
    if (type === `${kind}.created` || type === `${kind}.updated`) found.set(data.object.id, data.object);
    if (type === `${kind}.deleted`) found.delete(data.object.id);
  }
  return found;
}

/** Every resource of a list, by id. */
export async function listAll(client: TestClient, path: string): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (let query = ''; query !== '-'; ) {
    const { body } = await client.get(`${path}?per_page=100${query}`).expect(200);
    for (const resource of body.data) found.set(resource.id, resource);
    query = body.meta.next_cursor === null ? '-' : `&cursor=${body.meta.next_cursor}`;
  }
  return found;
}
