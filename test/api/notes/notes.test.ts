/** What notes promise in addition to test/api/resource. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/events/digest.ts';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { notes } from '../../support/notes.ts';
import { contacts, expectRefusal, leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  await notes.prepare?.(app);
});

afterAll(() => app.close());

const { ownerId } = notes;
/** A new note about the lead. */
const note = (fields: object) => ({ lead_id: ownerId, ...fields });

describe('a note of a lead', () => {
  it('has every field, its subject and its author', async () => {
    const me = await client.get('/auth/me').expect(200);
    const { body } = await client.post('/notes', note({ text: 'Called back.' })).expect(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^note_/),
      lead_id: ownerId,
      contact_id: null,
      text: 'Called back.',
      pinned: false,
      kind: 'note',
      direction: null,
      occurred_at: body.data.created_at,
      duration_seconds: null,
      author: { type: 'client', id: me.body.data.client_id, user_id: null },
      author_name: null,
      external_id: null,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      version: 1,
    });
  });

  it('can be pinned, and filtered by that', async () => {
    const { id } = await make(client, leads);
    const list = `/notes?lead_id=${id}`;
    for (const [text, pinned] of [
      ['A', true],
      ['B', false],
      ['C', true],
    ]) {
      await client.post('/notes', { lead_id: id, text, pinned }).expect(201);
    }
    const texts = async (query: string) => {
      const { body } = await client.get(`${list}&${query}`).expect(200);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ text }: { text: string }) => text).join('');
    };
    expect(await texts('pinned=true')).toBe('CA');
    expect(await texts('pinned=false')).toBe('B');
    expect(await texts('pinned=true&sort=created_at')).toBe('AC');
    const refused = { status: 400, field: 'pinned', code: 'invalid_parameter' };
    await expectRefusal(client.get(`${list}&pinned=yes`), refused);
    await expectRefusal(client.post('/notes', { lead_id: id, text: 'x', pinned: 'yes' }), {
      field: 'pinned',
    });
    await expectRefusal(client.post('/notes', { lead_id: id, text: 'x', pinned: null }), { field: 'pinned' });
  });

  it('has events in the history of its lead', async () => {
    const { id } = await make(client, leads);
    const { body } = await client.post('/notes', { lead_id: id, text: 'First' }).expect(201);
    const at = `/notes/${body.data.id}`;
    const changed = await client.patch(at, { text: 'Second', pinned: true }).expect(200);
    await client.patch(at, { text: 'Second' }).expect(200);
    const long = 'x'.repeat(1_001);
    await client.patch(at, { text: long }).expect(200);
    await client.delete(at).expect(204);
    const events = await eventsOf(client, id);
    expect(typesOf(events).slice(1)).toEqual([
      'note.created',
      'note.updated',
      'note.updated',
      'note.deleted',
    ]);
    expect(events.slice(1).map(({ data }) => data)).toEqual([
      { object: body.data, changes: {} },
      {
        object: changed.body.data,
        changes: { text: { from: 'First', to: 'Second' }, pinned: { from: false, to: true } },
      },
      {
        object: expect.objectContaining({ text: long }),
        changes: { text_sha256: { from: sha256('Second'), to: sha256(long) } },
      },
      { object: { id: body.data.id }, changes: {} },
    ]);
    const history = await client.get(`/leads/${id}/events?event_types=note.created`).expect(200);
    expect(history.body.data).toMatchObject([events[1] ?? {}]);
  });

  it('is listed on a page of at most 4 MiB, which a cursor continues', async () => {
    const { id } = await make(client, leads);
    const list = `/notes?lead_id=${id}`;
    // JSON escapes each of them with six characters.
    const text = `x${'\u0001'.repeat(9_999)}`;
    const rows = Array.from({ length: 80 }, () => ({
      id: app.production.knex.raw('new_uuid()'),
      lead_id: toUuid('lead', id),
      text,
      actor_type: 'client',
    }));
    await app.production.knex('notes').insert(rows as never);
    const page = await client.get(`${list}&per_page=100`).expect(200);
    expect(page.text.length).toBeLessThan(4 * 1024 * 1024);
    expect(page.body.data.length).toBeLessThan(80);
    const cursor = page.body.meta.next_cursor;
    const next = await client.get(`${list}&per_page=100&cursor=${cursor}`).expect(200);
    expect(page.body.data.length + next.body.data.length).toBe(80);
    expect(next.body.meta.total).toBe(80);
  });
});

describe('the notes of a contact', () => {
  it('are written, read, found and deleted like those of a lead', async () => {
    const { id: contact_id } = await make(client, contacts);
    const list = `/notes?contact_id=${contact_id}`;
    const { body } = await client.post('/notes', { contact_id, text: 'First', pinned: true }).expect(201);
    const at = `/notes/${body.data.id}`;
    expect(body.data).toMatchObject({ contact_id, lead_id: null, text: 'First', pinned: true });
    expect((await client.get(`${list}&pinned=true`).expect(200)).body.data).toEqual([body.data]);
    const changed = await client.patch(at, { text: 'Second' }).expect(200);
    expect(changed.body.data).toEqual({ ...(await client.get(at).expect(200)).body.data, version: 2 });
    const reader = await app.client(['contacts:read']);
    await reader.get(at).expect(200);
    await reader.post('/notes', { contact_id, text: 'x' }).expect(403);
    await (await app.client(['leads:read', 'leads:write'])).get(at).expect(403);
    await client.delete(at).expect(204);
    const events = await eventsOf(client, contact_id);
    expect(typesOf(events).slice(1)).toEqual(['note.created', 'note.updated', 'note.deleted']);
    await client.post('/notes', { contact_id, text: 'x' }).expect(201);
    await client.delete(`/contacts/${contact_id}`).expect(204);
    expect((await client.get(list).expect(200)).body.data).toEqual([]);
    const left = await app.production.knex('notes').where('contact_id', toUuid('contact', contact_id) ?? '');
    expect(left).toEqual([]);
  });
});

describe('the notes of a lead that is converted', () => {
  it('stay with the lead, which is found by its contact', async () => {
    const lead = await make(client, leads);
    const { body: made } = await client.post('/notes', { lead_id: lead.id, text: 'x' }).expect(201);
    const { body } = await client.post(`/leads/${lead.id}/convert`, {}).expect(201);
    const contactId = body.data.contact.id;
    expect((await client.get(`/notes?contact_id=${contactId}`)).body.meta.total).toBe(0);
    const [own] = (await client.get(`/leads?contact_id=${contactId}`)).body.data;
    expect((await client.get(`/notes?lead_id=${own.id}`)).body.data).toEqual([made.data]);
    await client.delete(`/contacts/${contactId}`).expect(204);
    expect((await client.get(`/notes?lead_id=${own.id}`)).body.data).toEqual([made.data]);
  });
});
