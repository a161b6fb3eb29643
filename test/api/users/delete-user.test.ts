import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { describeDelete } from '../../support/resource-promises.ts';
import {
  contacts,
  content,
  expectRefusal,
  leads,
  make,
  read,
  type TestResource,
  users,
} from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describeDelete(users, () => app);

describe('DELETE /users/{id}', () => {
  it.each<{ resource: TestResource<{ id: string }>; field: string }>([
    { resource: leads, field: 'assigned_user_id' },
    { resource: contacts, field: 'assigned_user_id' },
    { resource: content, field: 'author_user_id' },
  ])('is refused while $resource.path name the user', async ({ resource, field }) => {
    const user = await make(client, users);
    const item = await make(client, resource, { [field]: user.id });
    await expectRefusal(client.delete(`/users/${user.id}`), { field: 'id', code: 'user_in_use' });
    expect(await read(client, users, user.id)).toEqual(user);
    await client.patch(`${resource.path}/${item.id}`, { [field]: null }).expect(200);
    await client.delete(`/users/${user.id}`).expect(204);
  });

  it('never leaves a lead to nobody, however close both come', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await make(client, users);
      const [made, deleted] = await Promise.all([
        client.post('/leads', { ...leads.input(), assigned_user_id: id }),
        client.delete(`/users/${id}`),
      ]);
      expect([
        [201, 422],
        [422, 204],
      ]).toContainEqual([made.status, deleted.status]);
    }
  });
});
