/** The tests of leads go further. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { expectRefusal, refusedFields } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('PATCH /contacts/external/{external_id}', () => {
  it('creates a contact, then changes it', async () => {
    const externalId = `crm #1/2 ${randomUUID()}`;
    const upsert = (body: object, id = externalId) =>
      client.patch(`/contacts/external/${encodeURIComponent(id)}`, body);
    const fields = { name: 'Ada', email: uniqueEmail(), company: 'Engines', metadata: { plan: 'gold' } };
    const created = await upsert({ ...fields, title: null })
      .expect(201)
      .expect('ETag', '"1"');
    const { id } = created.body.data;
    expect(created.headers.location).toBe(`${app.production.baseUrl}/contacts/${id}`);
    expect(created.body.data).toMatchObject({ ...fields, external_id: externalId, title: null });
    expect((await upsert(fields).expect(200)).body).toEqual(created.body);
    await upsert({ name: 'Bob' }).set('If-Match', '"2"').expect(412);
    const changed = await upsert({ company: null, metadata: { plan: null, city: 'London' } }).expect(200);
    const after = { id, name: 'Ada', company: null, metadata: { city: 'London' }, version: 2 };
    expect(changed.body.data).toMatchObject(after);
    expect(typesOf(await eventsOf(client, id))).toEqual(['contact.created', 'contact.updated']);
    expect(await refusedFields(upsert({}, randomUUID()))).toEqual(['name']);
    await expectRefusal(upsert({ name: 'Ada', external_id: 'x' }, randomUUID()), { field: 'external_id' });
    const taken = upsert({ name: 'Bob', email: fields.email }, randomUUID());
    const refused = await expectRefusal(taken, { field: 'email', code: 'duplicate_email' });
    expect(refused.existing_id).toBe(id);
  });
});
