import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { contacts, leads, make, read } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('DELETE /contacts/{id}', () => {
  it('keeps its leads, which lose their contact and count their version up', async () => {
    const lead = await make(client, leads);
    const other = await make(client, leads);
    const { body } = await client.post(`/leads/${lead.id}/convert`).expect(201);
    const contact_id = body.data.contact.id;
    await client.post(`/leads/${other.id}/convert`, { contact_id }).expect(201);
    await client.delete(`/contacts/${contact_id}`).expect(204);
    for (const { id } of [lead, other]) {
      expect(await read(client, leads, id)).toMatchObject({ contact_id: null, version: 3, status: 'new' });
    }
    const listed = await client.get(`/leads?contact_id=${contact_id}`).expect(200);
    expect(listed.body.meta.total).toBe(0);
  });

  it('lets its leads be converted again, to a new contact', async () => {
    const lead = await make(client, leads);
    const first = await client.post(`/leads/${lead.id}/convert`).expect(201);
    await client.delete(`/contacts/${first.body.data.contact.id}`).expect(204);
    const second = await client.post(`/leads/${lead.id}/convert`).expect(201);
    expect(second.body.data.contact_created).toBe(true);
    expect(await read(client, contacts, second.body.data.contact.id)).toEqual(second.body.data.contact);
  });
});
