/** The link from a lead to a contact, wherever a lead is written. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { csv, importFile } from '../../support/imports.ts';
import { contacts, expectRefusal, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const patch = (id: string, contact_id: string | null) => client.patch(`/leads/${id}`, { contact_id });
const leadsOf = async (contact: { id: string }) =>
  (await client.get(`/leads?contact_id=${contact.id}`).expect(200)).body.meta.total;

describe('contact_id of a lead', () => {
  it('can be set, changed and cleared by PATCH, with events', async () => {
    const [first, second] = [await make(client, contacts), await make(client, contacts)];
    const { id } = await createLead(client);
    const set = await patch(id, first.id).expect(200);
    expect(set.body.data).toMatchObject({ contact_id: first.id, version: 2 });
    expect((await patch(id, first.id).expect(200)).body.data.version).toBe(2);
    await patch(id, second.id).expect(200);
    expect([await leadsOf(first), await leadsOf(second)]).toEqual([0, 1]);
    const cleared = await patch(id, null).expect(200);
    expect(cleared.body.data).toMatchObject({ contact_id: null, version: 4 });
    const { body } = await client.get(`/leads/${id}/events`).expect(200);
    const events = body.data.map(({ type, data }: { type: string; data: { changes: object } }) => [
      type,
      data.changes,
    ]);
    const change = (from: string | null, to: string | null) => ({ contact_id: { from, to } });
    expect(events.toReversed().slice(1)).toEqual([
      ['lead.updated', change(null, first.id)],
      ['lead.updated', change(first.id, second.id)],
      ['lead.updated', change(second.id, null)],
    ]);
  });

  it('must be the id of an existing contact; a merged one says which', async () => {
    const { id } = await createLead(client);
    const field = 'contact_id';
    await expectRefusal(patch(id, 'contact_01m7w4n5e0fymt8j463c8gepsz'), { field });
    await expectRefusal(patch(id, 'lead_01m7w4n5e0e3tajy9kep34bze2'), { field });
    const [stays, other] = [await make(client, contacts), await make(client, contacts)];
    await client.post(`/contacts/${stays.id}/merge`, { contact_id: other.id }).expect(200);
    expect(await expectRefusal(patch(id, other.id), { field })).toMatchObject({ merged_into: stays.id });
    await client.patch('/leads/lead_01m7w4n5e0e3tajy9kep34bze2', { contact_id: other.id }).expect(404);
  });

  it('can be sent when a lead is created, upserted, written in a batch or imported', async () => {
    const contact = await make(client, contacts);
    const contact_id = contact.id;
    const lead = await createLead(client, { contact_id });
    expect(lead.contact_id).toBe(contact_id);
    const input = () => ({ name: 'Ada', email: uniqueEmail(), contact_id });
    await client.patch(`/leads/external/${randomUUID()}`, input()).expect(201);
    await client.post('/leads/batch/create', { items: [input()] }).expect(200);
    await client.post('/leads/batch/upsert', { match: 'email', items: [input()] }).expect(200);
    const item = { id: (await createLead(client)).id, patch: { contact_id } };
    const { body } = await client.post('/leads/batch/update', { items: [item] }).expect(200);
    expect(body.data[0].lead.contact_id).toBe(contact_id);
    const file = () => csv('name,email,contact_id', `Ada,${uniqueEmail()},${contact_id}`);
    await importFile(app, client, file(), '', { mapping: { contact_id: 'contact_id' } });
    expect(await leadsOf(contact)).toBe(6);
    // The file may come from another environment, so the service gives only a hint.
    const { unused_columns: unused } = await importFile(app, client, file());
    expect(unused).toMatchObject([
      { column: 'contact_id', hint: expect.stringContaining('map it to contact_id') },
    ]);
    expect(await leadsOf(contact)).toBe(6);
    const wrong = { ...input(), contact_id: 'contact_01m7w4n5e0fymt8j463c8gepsz' };
    const refused = await client.post('/leads/batch/create', { items: [wrong] }).expect(200);
    expect(refused.body.data[0]).toMatchObject({
      status: 'failed',
      errors: { contact_id: [expect.any(String)] },
    });
  });

  it('never names a contact that is deleted at the same time, and deadlocks with nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [await make(client, contacts), await make(client, contacts)];
      const lead = await createLead(client, { contact_id: one.id });
      const [linked, batch, deleted] = await Promise.all([
        patch(lead.id, two.id),
        client.post('/leads/batch/update', { items: [{ id: lead.id, patch: { contact_id: one.id } }] }),
        client.post('/contacts/batch/delete', { ids: [one.id, two.id] }),
      ]);
      expect([200, 422]).toContain(linked.status);
      expect([batch.status, deleted.status]).toEqual([200, 200]);
      const { body } = await client.get(`/leads/${lead.id}`).expect(200);
      expect(body.data.contact_id).toBeNull();
    }
  });
});
