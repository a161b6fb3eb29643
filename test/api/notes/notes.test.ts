/** What notes promise in addition to test/api/resource. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/events/digest.ts';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { contactNotes, leadNotes } from '../../support/notes.ts';
import { contacts, expectRefusal, leads, make, read, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  await leadNotes.prepare?.(app);
});

afterAll(() => app.close());

const { path, ownerId } = leadNotes;

describe('a note of a lead', () => {
  it('has every field, its subject and its author', async () => {
    const me = await client.get('/auth/me').expect(200);
    const { body } = await client.post(path, { text: 'Called back.' }).expect(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^note_/),
      lead_id: ownerId,
      contact_id: null,
      text: 'Called back.',
      pinned: false,
      author: { type: 'client', id: me.body.data.client_id, user_id: null },
      author_name: null,
      external_id: null,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      version: 1,
    });
  });

  it('keeps its author when another client changes it', async () => {
    const note = await make(client, leadNotes);
    const other = await app.client();
    const { body } = await other.patch(`${path}/${note.id}`, { pinned: true }).expect(200);
    expect(body.data).toMatchObject({ pinned: true, author: note.author, version: 2 });
    const events = await eventsOf(client, ownerId);
    expect(events.at(-1)?.actor).not.toEqual(events[0]?.actor);
  });

  it.each(['author', 'lead_id', 'contact_id'])('has a read-only %s', async (field) => {
    const note = await make(client, leadNotes);
    await expectRefusal(client.post(path, { text: 'x', [field]: ownerId }), { field });
    await expectRefusal(client.patch(`${path}/${note.id}`, { [field]: ownerId }), { field });
  });

  it('may have 10,000 characters of any kind, with line breaks', async () => {
    const text = `${'🎉'.repeat(9_990)}\n\t"é"\r\n xy`;
    expect([...text]).toHaveLength(10_000);
    expect((await make(client, leadNotes, { text })).text).toBe(text);
  });

  it('can be pinned, and filtered by that', async () => {
    const { id } = await make(client, leads);
    const list = `/leads/${id}/notes`;
    for (const [text, pinned] of [
      ['A', true],
      ['B', false],
      ['C', true],
    ]) {
      await client.post(list, { text, pinned }).expect(201);
    }
    const texts = async (query: string) => {
      const { body } = await client.get(`${list}?${query}`).expect(200);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ text }: { text: string }) => text).join('');
    };
    expect(await texts('pinned=true')).toBe('CA');
    expect(await texts('pinned=false')).toBe('B');
    expect(await texts('pinned=true&sort=created_at')).toBe('AC');
    const refused = { status: 400, field: 'pinned', code: 'invalid_parameter' };
    await expectRefusal(client.get(`${list}?pinned=yes`), refused);
    await expectRefusal(client.post(list, { text: 'x', pinned: 'yes' }), { field: 'pinned' });
    await expectRefusal(client.post(list, { text: 'x', pinned: null }), { field: 'pinned' });
  });

  it('is found only at its own lead or contact', async () => {
    const note = await make(client, leadNotes);
    for (const other of [leads, contacts] as TestResource[]) {
      const wrong = `${other.path}/${(await make(client, other)).id}/notes/${note.id}`;
      await client.get(wrong).expect(404);
      await client.patch(wrong, { text: 'Other' }).expect(404);
      await client.with({ 'If-Match': '"9"' }).delete(wrong).expect(404);
    }
    expect(await read(client, leadNotes, note.id)).toEqual(note);
  });

  it('needs an existing lead', async () => {
    const { id } = await make(client, leads);
    const list = `/leads/${id}/notes`;
    await client.delete(`/leads/${id}`).expect(204);
    const { body } = await client.get(list).expect(404);
    expect(body.message).toContain(id);
    await client.post(list, { text: 'x' }).expect(404);
  });

  it.each([
    ['leads:read', 200, 403],
    ['leads:write', 403, 201],
    ['contacts:read', 403, 403],
    ['contacts:write', 403, 403],
  ])('with the scope %s alone: a read is %i, a write %i', async (scope, reading, writing) => {
    const limited = await app.client([scope]);
    await limited.get(path).expect(reading);
    await limited.post(path, { text: 'x' }).expect(writing);
  });

  it('has events in the history of its lead', async () => {
    const { id } = await make(client, leads);
    const list = `/leads/${id}/notes`;
    const { body } = await client.post(list, { text: 'First' }).expect(201);
    const at = `${list}/${body.data.id}`;
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
    const history = await client.get(`/leads/${id}/events?types=note.created`).expect(200);
    expect(history.body.data).toMatchObject([events[1] ?? {}]);
  });

  it('is deleted with its lead; other notes stay', async () => {
    const { id } = await make(client, leads);
    await client.post(`/leads/${id}/notes`, { text: 'x' }).expect(201);
    const kept = await make(client, leadNotes);
    await client.delete(`/leads/${id}`).expect(204);
    const left = await app.production.knex('notes').where('lead_id', toUuid('lead', id) ?? '');
    expect(left).toEqual([]);
    expect(await read(client, leadNotes, kept.id)).toEqual(kept);
  });

  it('is listed on a page of at most 4 MiB, which a cursor continues', async () => {
    const { id } = await make(client, leads);
    const list = `/leads/${id}/notes`;
    // JSON escapes each of them with six characters.
    const text = `x${'\u0001'.repeat(9_999)}`;
    const rows = Array.from({ length: 80 }, () => ({
      id: app.production.knex.raw('new_uuid()'),
      lead_id: toUuid('lead', id),
      text,
      actor_type: 'client',
    }));
    await app.production.knex('notes').insert(rows as never);
    const page = await client.get(`${list}?per_page=100`).expect(200);
    expect(page.text.length).toBeLessThan(4 * 1024 * 1024);
    expect(page.body.data.length).toBeLessThan(80);
    const cursor = page.body.meta.next_cursor;
    const next = await client.get(`${list}?per_page=100&cursor=${cursor}`).expect(200);
    expect(page.body.data.length + next.body.data.length).toBe(80);
    expect(next.body.meta.total).toBe(80);
  });
});

describe('the notes of a contact', () => {
  it('are written, read, found and deleted like those of a lead', async () => {
    const contact = await make(client, contacts);
    const list = `/contacts/${contact.id}/notes`;
    const { body } = await client.post(list, { text: 'First', pinned: true }).expect(201);
    const at = `${list}/${body.data.id}`;
    expect(body.data).toMatchObject({ contact_id: contact.id, lead_id: null, text: 'First', pinned: true });
    expect((await client.get(`${list}?pinned=true`).expect(200)).body.data).toEqual([body.data]);
    const changed = await client.patch(at, { text: 'Second' }).expect(200);
    expect(changed.body.data).toEqual({ ...(await client.get(at).expect(200)).body.data, version: 2 });
    for (const { path, id } of [
      { path: '/contacts', id: (await make(client, contacts)).id },
      { path: '/leads', id: (await make(client, leads)).id },
    ]) {
      await client.get(`${path}/${id}/notes/${body.data.id}`).expect(404);
    }
    const reader = await app.client(['contacts:read']);
    await reader.get(list).expect(200);
    await reader.post(list, { text: 'x' }).expect(403);
    await (await app.client(['leads:read', 'leads:write'])).get(list).expect(403);
    await client.delete(at).expect(204);
    const events = await eventsOf(client, contact.id);
    expect(typesOf(events).slice(1)).toEqual(['note.created', 'note.updated', 'note.deleted']);
    await make(client, { ...contactNotes, path: list });
    await client.delete(`/contacts/${contact.id}`).expect(204);
    await client.get(list).expect(404);
    const left = await app.production.knex('notes').where('contact_id', toUuid('contact', contact.id) ?? '');
    expect(left).toEqual([]);
  });
});

describe('the notes of a lead that is converted', () => {
  it('stay with the lead, which is found by its contact', async () => {
    const lead = await make(client, leads);
    const { body: made } = await client.post(`/leads/${lead.id}/notes`, { text: 'x' }).expect(201);
    const { body } = await client.post(`/leads/${lead.id}/convert`, {}).expect(201);
    const contactId = body.data.contact.id;
    expect((await client.get(`/contacts/${contactId}/notes`)).body.meta.total).toBe(0);
    const [own] = (await client.get(`/leads?contact_id=${contactId}`)).body.data;
    expect((await client.get(`/leads/${own.id}/notes`)).body.data).toEqual([made.data]);
    await client.delete(`/contacts/${contactId}`).expect(204);
    expect((await client.get(`/leads/${own.id}/notes`)).body.data).toEqual([made.data]);
  });
});

describe('a note created while its lead is deleted', () => {
  it('is created before the deletion, or is a 404', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await make(client, leads);
      const list = `/leads/${id}/notes`;
      const answers = await Promise.all([
        ...Array.from({ length: 3 }, () => client.post(list, { text: 'x' })),
        client.delete(`/leads/${id}`),
        ...Array.from({ length: 3 }, () => client.post(list, { text: 'x' })),
      ]);
      const made = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 404);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      expect(made.length + refused.length).toBe(6);
      const types = typesOf(await eventsOf(client, id));
      expect(types).toEqual(['lead.created', ...made.map(() => 'note.created'), 'lead.deleted']);
      expect(await app.production.knex('notes').where('lead_id', toUuid('lead', id) ?? '')).toEqual([]);
    }
  });
});
