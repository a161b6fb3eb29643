import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { contacts, expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let user: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  user = (await make(client, users)).id;
  await make(client, contacts, { name: 'A', tags: ['vip', 'eu'], assigned_user_id: user });
  await make(client, contacts, { name: 'B', tags: ['eu'], external_id: 'crm-1', email: 'B@Example.com' });
  await make(client, contacts, { name: 'C', company: 'Analytical Engines', email: null });
});

afterAll(() => app.close());

describe('GET /contacts', () => {
  it.each([
    ['tag=eu', 'AB'],
    ['tag=vip,none', 'A'],
    ['tag=EU', ''],
    ['email=b@example.com', 'B'],
    ['external_id=crm-1', 'B'],
    ['external_id=crm', ''],
    ['assigned_user_id=none', 'BC'],
    ['assigned_user_id=USER', 'A'],
    ['assigned_user_id=USER&tag=vip', 'A'],
    ['search=analytical+c', 'C'],
    ['search=example', 'AB'],
  ])('is filtered by %s', async (query, expected) => {
    const { body } = await client.get(`/contacts?${query.replace('USER', user)}&sort=name`).expect(200);
    expect(body.data.map(({ name }: { name: string }) => name).join('')).toBe(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  it.each([
    ['status=new', 'status'],
    ['assigned_user_id=me', 'assigned_user_id'],
    ['email=nobody', 'email'],
    ['sort=email', 'sort'],
  ])('rejects %s', async (query, field) => {
    const request = client.get(`/contacts?${query}`);
    await expectRefusal(request, { status: 400, field, code: 'invalid_parameter' });
  });
});
