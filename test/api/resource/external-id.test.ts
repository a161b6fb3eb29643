/** Leads, contacts and users by the id that another system gave them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe.each(['leads', 'contacts', 'users'])('/%s/external/{external_id}', (resource) => {
  const pathOf = (id: string) => `/${resource}/external/${encodeURIComponent(id)}`;
  const make = async (id: string) =>
    (await client.patch(pathOf(id), { name: 'Ada', email: uniqueEmail() }).expect(201)).body.data;

  it.each(['4711', 'a/b', 'ä ö', '%2F', '../x', 'crm#1?x=1', '🎉'])(
    'is read and deleted as %s',
    async (id) => {
      const made = await make(id);
      const { body, headers } = await client.get(pathOf(id)).expect(200);
      expect(body.data).toEqual(made);
      await client
        .get(pathOf(id))
        .set('If-None-Match', headers.etag as string)
        .expect(304);
      await client.delete(pathOf(id)).set('If-Match', '"9"').expect(412);
      await client.delete(pathOf(id)).expect(204);
      await client.get(pathOf(id)).expect(404);
      await client.delete(pathOf(id)).expect(404);
      await client.get(`/${resource}/${made.id}`).expect(404);
    },
  );

  it('is only created with If-None-Match: *', async () => {
    const id = randomUUID();
    const create = (name: string) =>
      client.patch(pathOf(id), { name, email: uniqueEmail() }).set('If-None-Match', '*');
    const { body } = await create('First').expect(201);
    const refused = await create('Second').expect(412);
    expect(refused.body.code).toBe('version_mismatch');
    expect((await client.get(pathOf(id)).expect(200)).body).toEqual(body);
  });

  it('is created once by ten such requests at the same time', async () => {
    const id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        client.patch(pathOf(id), { name: 'Ada', email: `${id}@example.com` }).set('If-None-Match', '*'),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(9).fill(412)]);
  });

  it.each([
    ['too long', 'x'.repeat(129)],
    ['with a control character', 'a\nb'],
    ['without a visible character', ' '],
  ])('refuses an id %s with a 422 that names it', async (_, id) => {
    for (const send of [
      () => client.get(pathOf(id)),
      () => client.patch(pathOf(id), { name: 'Ada', email: uniqueEmail() }),
      () => client.delete(pathOf(id)),
    ]) {
      const { body } = await send().expect(422);
      expect(Object.keys(body.errors)).toEqual(['external_id']);
    }
  });

  it('needs the scopes of the resource', async () => {
    const reader = await app.client([`${resource}:read`]);
    const id = randomUUID();
    await make(id);
    await reader.get(pathOf(id)).expect(200);
    await reader.delete(pathOf(id)).expect(403);
  });
});
