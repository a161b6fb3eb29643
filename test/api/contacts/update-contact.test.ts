import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { contacts, expectRefusal, leads, make, read } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('PATCH /contacts/{id}', () => {
  it.each(['email', 'phone', 'company', 'title', 'external_id'])('clears %s with null', async (field) => {
    const texts = { phone: '+4915112345678', company: 'C', title: 'T', external_id: `clear-${field}` };
    const { id } = await make(client, contacts, texts);
    const { body } = await client.patch(`/contacts/${id}`, { [field]: null }).expect(200);
    expect(body.data).toMatchObject({ [field]: null, version: 2 });
  });

  it('merges metadata and replaces tags; null removes them', async () => {
    const { id } = await make(client, contacts, { tags: ['a'], metadata: { plan: 'gold', size: 'xl' } });
    const patch = (body: object) => client.patch(`/contacts/${id}`, body).expect(200);
    const merged = await patch({ tags: ['b', 'b'], metadata: { plan: null, eyes: 'blue' } });
    expect(merged.body.data).toMatchObject({ tags: ['b'], metadata: { size: 'xl', eyes: 'blue' } });
    const removed = await patch({ tags: null, metadata: null });
    expect(removed.body.data).toMatchObject({ tags: [], metadata: {}, version: 3 });
  });

  it('rejects more than 50 texts in all', async () => {
    const texts = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${prefix}${n}`, 'x']));
    const { id } = await make(client, contacts, { metadata: texts('a') });
    await expectRefusal(client.patch(`/contacts/${id}`, { metadata: texts('b') }), { field: 'metadata' });
  });

  it('may change the case of its own email', async () => {
    const { id, email } = await make(client, contacts);
    const upper = String(email).toUpperCase();
    const { body } = await client.patch(`/contacts/${id}`, { email: upper }).expect(200);
    expect(body.data.email).toBe(upper);
  });

  it('leaves its leads alone', async () => {
    const lead = await make(client, leads);
    const { body } = await client.post(`/leads/${lead.id}/convert`).expect(201);
    await client.patch(`/contacts/${body.data.contact.id}`, { name: 'Other', email: null }).expect(200);
    expect(await read(client, leads, lead.id)).toEqual(body.data.lead);
  });
});
