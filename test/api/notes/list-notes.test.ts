import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { contacts, expectRefusal, leads, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let grace: string;
/** In the order of their creation. */
const ids: string[] = [];

async function addNote(author: TestClient, path: string, body: object): Promise<void> {
  const { body: added } = await author.post(`${path}/notes`, body).expect(201);
  ids.push(added.data.id);
}

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const lead = `/leads/${(await make(client, leads)).id}`;
  const contact = `/contacts/${(await make(client, contacts)).id}`;
  ({ id: grace } = await make(client, users));
  await addNote(client, lead, { text: 'Called.' });
  await addNote(client.with({ 'Acting-User': grace }), contact, { text: 'Met.', pinned: true });
  await addNote(await app.client(), lead, { text: 'Wrote.' });
});

afterAll(() => app.close());

async function found(query = ''): Promise<string[]> {
  const { body } = await client.get(`/notes${query}`).expect(200);
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

  it('needs the scopes to read leads and contacts', async () => {
    await (await app.client(['leads:read', 'contacts:read'])).get('/notes').expect(200);
    for (const scope of ['leads:read', 'contacts:read'])
      await (await app.client([scope])).get('/notes').expect(403);
  });
});
