/** GET /erasures/{id}: what was done, without the person. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone } from '../../support/erasure.ts';
import { createUser, uniqueEmail } from '../../support/factories.ts';
import { leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
});

afterAll(() => app.close());

describe('an erasure', () => {
  it('is proved by an erasure and an audit log entry, without personal data', async () => {
    const user = await createUser(client);
    const { mark, fields } = someone();
    await make(client, leads, fields);
    const { headers, body } = await client
      .with({ 'Acting-User': user, 'X-Request-Id': 'erasure-with-proof' })
      .post('/erasures', { email: fields.email })
      .expect(201);
    const { id } = body.data;
    expect(headers.location).toBe(`https://api.test/v1/erasures/${id}`);
    const read = await client.get(`/erasures/${id}`).expect(200);
    expect(read.body.data).toEqual(body.data);
    expect(body.data).toMatchObject({
      request_id: 'erasure-with-proof',
      actor: { type: 'client', user_id: user, user_name: 'Grace Hopper' },
      former: [],
      receivers: [],
    });
    const log = await client.get('/audit-log?action=person.erased&per_page=100').expect(200);
    const entry = log.body.data.find(({ erasure_id }: { erasure_id: string }) => erasure_id === id);
    expect(entry).toMatchObject({ action: 'person.erased', request_id: 'erasure-with-proof', name: null });
    const list = await client.get(`/erasures?actor_user_id=${user}`).expect(200);
    expect(list.body.data).toEqual([body.data]);
    expect(JSON.stringify([read.body, entry, list.body])).not.toContain(mark);
  });

  it('has an ETag, and no longer names a user who was deleted', async () => {
    const user = await createUser(client);
    const { body } = await client
      .with({ 'Acting-User': user })
      .post('/erasures', { email: uniqueEmail() })
      .expect(201);
    const path = `/erasures/${body.data.id}`;
    const { headers } = await client.get(path).expect(200);
    const unless = client.with({ 'If-None-Match': headers.etag ?? '' });
    await unless.get(path).expect(304);
    await client.delete(`/users/${user}`).expect(204);
    const read = await unless.get(path).expect(200);
    expect(read.body.data.actor).toMatchObject({ user_id: user, user_name: null });
  });
});
