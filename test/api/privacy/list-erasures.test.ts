/** GET /erasures */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createUser, uniqueEmail } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
});

afterAll(() => app.close());

async function idsOf(query: string, as = client): Promise<string[]> {
  const { body } = await as.get(`/erasures?${query}`).expect(200);
  return body.data.map(({ id }: { id: string }) => id);
}

describe('GET /erasures', () => {
  it('lists erasures by time and by who requested them, in one environment', async () => {
    const user = await createUser(client);
    const other = await app.client(allScopes);
    const ids: string[] = [];
    for (const as of [client, other, client.with({ 'Acting-User': user })]) {
      const { body } = await as.post('/erasures', { email: uniqueEmail() }).expect(201);
      ids.push(body.data.id);
    }
    expect(await idsOf('sort=created_at')).toEqual(ids);
    expect(await idsOf('')).toEqual(ids.toReversed());
    expect(await idsOf(`actor_user_id=${user}`)).toEqual(ids.slice(2));
    const me = await other.get('/auth/me').expect(200);
    expect(await idsOf(`actor_id=${me.body.data.client_id ?? me.body.data.id}`)).toEqual([ids[1]]);
    expect(await idsOf('created_from=2999-01-01')).toEqual([]);
    expect(await idsOf('created_to=2000-01-01')).toEqual([]);
    expect(await idsOf('', await app.client(allScopes, 'sandbox'))).toEqual([]);
  });
});
