import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { describeRead } from '../../support/resource-promises.ts';
import { contacts } from '../../support/resources.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

describe('GET /contacts/{id}', () => {
  it('answers the contact with every field, those without a value as null', async () => {
    const client = await app.client();
    const input = { name: 'Ada Lovelace', email: 'ada@example.com' };
    const { body: created } = await client.post('/contacts', input).expect(201);
    const { body } = await client.get(`/contacts/${created.data.id}`).expect(200).expect('ETag', '"1"');
    expect(body.data).toEqual({
      id: created.data.id,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: null,
      company: null,
      title: null,
      external_id: null,
      assigned_user_id: null,
      tags: [],
      metadata: {},
      version: 1,
      created_at: created.data.created_at,
      updated_at: created.data.created_at,
    });
  });
});

describeRead(contacts, () => app);
