import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('POST /notes', () => {
  it('is about exactly one lead or contact', async () => {
    const { id: contact_id } = await make(client, contacts);
    const refused = { field: 'lead_id' };
    await expectRefusal(client.post('/notes', { text: 'x' }), refused);
    await expectRefusal(client.post('/notes', note({ text: 'x', contact_id })), refused);
    await expectRefusal(client.post('/notes', note({ text: 'x', author: ownerId })), { field: 'author' });
    const { body } = await client.post('/notes', { text: 'x', contact_id }).expect(201);
    expect(body.data).toMatchObject({ contact_id, lead_id: null });
  });

  it('may have 10,000 characters of any kind, with line breaks', async () => {
    const text = `${'🎉'.repeat(9_990)}\n\t"é"\r\n xy`;
    expect([...text]).toHaveLength(10_000);
    expect((await make(client, notes, { text })).text).toBe(text);
  });

  it('needs an existing lead', async () => {
    const { id } = await make(client, leads);
    const own = (await client.post('/notes', { lead_id: id, text: 'x' }).expect(201)).body.data;
    await client.delete(`/leads/${id}`).expect(204);
    const { body } = await client.get(`/notes/${own.id}`).expect(404);
    expect(body.message).toContain(own.id);
    await client.patch(`/notes/${own.id}`, { pinned: true }).expect(404);
    await expectRefusal(client.post('/notes', { lead_id: id, text: 'x' }), { field: 'lead_id' });
    await expectRefusal(client.post('/notes', { lead_id: 'x', text: 'x' }), { field: 'lead_id' });
  });
});

describe('a note created while its lead is deleted', () => {
  it('is created before the deletion, or is a 422', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await make(client, leads);
      const answers = await Promise.all([
        ...Array.from({ length: 3 }, () => client.post('/notes', { lead_id: id, text: 'x' })),
        client.delete(`/leads/${id}`),
        ...Array.from({ length: 3 }, () => client.post('/notes', { lead_id: id, text: 'x' })),
      ]);
      const made = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 422);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      expect(made.length + refused.length).toBe(6);
      const types = typesOf(await eventsOf(client, id));
      expect(types).toEqual(['lead.created', ...made.map(() => 'note.created'), 'lead.deleted']);
      expect(await app.production.knex('notes').where('lead_id', toUuid('lead', id) ?? '')).toEqual([]);
    }
  });
});
