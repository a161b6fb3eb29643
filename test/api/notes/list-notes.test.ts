import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { contacts, expectRefusal, leads, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let grace: string;
let lead_id: string;
let contact_id: string;
/** In the order of their creation. */
const ids: string[] = [];

async function addNote(author: TestClient, body: object): Promise<void> {
  const { body: added } = await author.post('/notes', body).expect(201);
  ids.push(added.data.id);
}

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  lead_id = (await make(client, leads)).id;
  contact_id = (await make(client, contacts)).id;
  ({ id: grace } = await make(client, users));
  await addNote(client, { lead_id, text: 'Called.' });
  await addNote(client.with({ 'Acting-User': grace }), { contact_id, text: 'Met.', pinned: true });
  await addNote(await app.client(), { lead_id, text: 'Wrote.' });
});

afterAll(() => app.close());

async function found(query = '', as = client): Promise<string[]> {
  const { body } = await as.get(`/notes${query}`).expect(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map(({ id }: { id: string }) => id);
}

describe('GET /notes', () => {
  it('lists the notes about leads and contacts, the newest first', async () => {
    expect(await found()).toEqual(ids.toReversed());
    expect(await found('?sort=created_at')).toEqual(ids);
    const { body } = await client.get('/notes?sort=created_at').expect(200);
    expect(body.data).toMatchObject([
      { text: 'Called.', contact_id: null },
      { text: 'Met.', lead_id: null, author: { user_id: grace } },
      { text: 'Wrote.', contact_id: null },
    ]);
  });

  it('filters by the author: a client, or the user on whose behalf it acted', async () => {
    const me = (await client.get('/auth/me').expect(200)).body.data.client_id;
    expect(await found(`?author_id=${me}&sort=created_at`)).toEqual(ids.slice(0, 2));
    expect(await found(`?author_user_id=${grace}`)).toEqual([ids[1]]);
    expect(await found('?author_user_id=user_01m7w4n5e0eymtkc82hvhg0xb9')).toEqual([]);
    await expectRefusal(client.get('/notes?author_user_id=grace'), {
      status: 400,
      field: 'author_user_id',
      code: 'invalid_parameter',
    });
  });

  it('filters by time, and by what is pinned', async () => {
    expect(await found('?pinned=true')).toEqual([ids[1]]);
    const { body } = await client.get('/notes?sort=created_at').expect(200);
    const [, second] = body.data;
    expect(await found(`?created_from=${second.created_at}&created_to=${second.created_at}`)).toContain(
      ids[1],
    );
    expect(await found('?created_from=2999-01-01')).toEqual([]);
  });

  it('is walked by cursor', async () => {
    const first = await client.get('/notes?per_page=2').expect(200);
    const next = `/notes?per_page=2&cursor=${first.body.meta.next_cursor}`;
    const second = await client.get(next).expect(200);
    const pages = [...first.body.data, ...second.body.data];
    expect(pages.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(second.body.meta.next_cursor).toBeNull();
  });

  it('filters by the lead or contact', async () => {
    expect(await found(`?lead_id=${lead_id}`)).toEqual([ids[2], ids[0]]);
    expect(await found(`?contact_id=${contact_id}`)).toEqual([ids[1]]);
    expect(await found(`?contact_id=${contact_id}&pinned=false`)).toEqual([]);
    expect(await found(`?lead_id=${lead_id}&contact_id=${contact_id}`)).toEqual([]);
    const deleted = await make(client, leads);
    await client.delete(`/leads/${deleted.id}`).expect(204);
    expect(await found(`?lead_id=${deleted.id}`)).toEqual([]);
    await expectRefusal(client.get('/notes?lead_id=ada'), {
      status: 400,
      field: 'lead_id',
      code: 'invalid_parameter',
    });
  });

  it('shows only the notes that the client may read', async () => {
    const ofLeads = await app.client(['leads:read']);
    expect(await found('', ofLeads)).toEqual([ids[2], ids[0]]);
    expect(await found(`?lead_id=${lead_id}`, ofLeads)).toEqual([ids[2], ids[0]]);
    const ofContacts = await app.client(['contacts:read']);
    expect(await found('', ofContacts)).toEqual([ids[1]]);
    const { body } = await ofContacts.get(`/notes?lead_id=${lead_id}`).expect(403);
    expect(body).toMatchObject({ code: 'insufficient_scope', required_scope: 'leads:read' });
    expect(await found('', await app.client(['leads:read', 'contacts:read']))).toEqual(ids.toReversed());
    await (await app.client(['leads:write', 'users:read'])).get('/notes').expect(403);
  });
});
