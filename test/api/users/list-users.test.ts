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

describe('GET /users', () => {
  it.each([
    ['active=true', 'On'],
    ['active=false', 'Off'],
    ['email=OFF@example.com', 'Off'],
    ['email=nobody@example.com', ''],
    ['search=off', 'Off'],
    ['active=true&search=off', ''],
  ])('is filtered by %s', async (query, expected) => {
    const all = await client.get('/users?per_page=100').expect(200);
    for (const { id } of all.body.data) await client.delete(`/users/${id}`).expect(204);
    await make(client, users, { name: 'On' });
    await make(client, users, { name: 'Off', email: 'off@example.com', active: false });
    const { body } = await client.get(`/users?${query}`).expect(200);
    expect(body.data.map(({ name }: { name: string }) => name).join()).toBe(expected);
    expect(body.meta.total).toBe(body.data.length);
  });

  it.each(['yes', '1'])('rejects active=%s', async (value) => {
    const request = client.get(`/users?active=${value}`);
    await expectRefusal(request, { status: 400, field: 'active', code: 'invalid_parameter' });
  });
});
