import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { describeRead } from '../../support/resource-promises.ts';
import { users } from '../../support/resources.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

describe('GET /users/{id}', () => {
  it('answers the user with every field', async () => {
    const client = await app.client();
    const input = { name: 'Grace Hopper', email: 'grace@example.com' };
    const { body: created } = await client.post('/users', input).expect(201);
    const { body } = await client.get(`/users/${created.data.id}`).expect(200).expect('ETag', '"1"');
    expect(body.data).toEqual({
      id: created.data.id,
      name: 'Grace Hopper',
      email: 'grace@example.com',
      active: true,
      version: 1,
      created_at: created.data.created_at,
      updated_at: created.data.created_at,
    });
  });
});

describeRead(users, () => app);
