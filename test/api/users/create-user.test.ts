import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('POST /users', () => {
  it('creates a user with every field, active by default', async () => {
    const input = { name: 'Grace Hopper', email: 'grace.hopper@example.com' };
    const user = await make(client, users, input);
    const { id, created_at } = user;
    const more = { active: true, external_id: null, metadata: {}, version: 1 };
    const rest = { id, ...more, created_at, updated_at: created_at };
    expect(user).toEqual({ ...input, ...rest });
    expect((await make(client, users, { active: false })).active).toBe(false);
  });

  it('keeps the id and the values that the client gives it', async () => {
    const given = { external_id: 'hr-1906', metadata: { team: 'EMEA', desk: '4' } };
    const user = await make(client, users, given);
    expect(user).toMatchObject(given);
    const { body } = await client.get('/users?metadata[team]=EMEA&external_id=hr-1906').expect(200);
    expect(body.data).toEqual([user]);
    const refused = await expectRefusal(client.post('/users', { ...users.input(), external_id: 'hr-1906' }), {
      field: 'external_id',
      code: 'duplicate_external_id',
    });
    expect(refused.existing_id).toBe(user.id);
  });

  it('sees the same email in another case', async () => {
    const { id } = await make(client, users, { email: 'Grace@Example.com' });
    const body = { name: 'Grace', email: 'grace@example.COM' };
    const refused = await expectRefusal(client.post('/users', body), {
      field: 'email',
      code: 'duplicate_email',
    });
    expect(refused.existing_id).toBe(id);
    const { existing_id } = await expectRefusal(client.patch('/users/external/hr-1907', body), {
      field: 'email',
      code: 'duplicate_email',
    });
    expect(existing_id).toBe(id);
  });

  it.each([
    ['email', 'nobody'],
    ['email', null],
    ['active', 'yes'],
    ['active', null],
  ])('rejects %s %j', async (field, value) => {
    await expectRefusal(client.post('/users', { ...users.input(), [field]: value }), { field });
  });
});
