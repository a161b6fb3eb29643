/** Who is deleted is nowhere in the database any more. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/db/id.ts';
import { foldLeadCounts } from '../../../src/leads/count-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { contacts, leads, make, users } from '../../support/resources.ts';
import { insertAttempt, insertDelivery, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });

describe('a lead that is deleted', () => {
  it('leaves no name, email, phone or other text of its own in any table', async () => {
    const { mark, fields } = someone();
    const texts = { company: `Company ${mark}`, external_id: `external-${mark}` };
    const more = { tags: [`tag-${mark}`], metadata: { [`key-${mark}`]: `value-${mark}` } };
    const { body } = await keyed()
      .post('/leads', { ...fields, ...texts, ...more })
      .expect(201);
    const { id } = body.data;
    const path = `/leads/${id}`;
    await keyed()
      .patch(path, { name: `Other ${mark}`, status: 'lost', lost_reason: `Reason ${mark}` })
      .expect(200);
    await keyed()
      .patch(path, { email: `other-${mark}@example.com`, phone: null, tags: null, metadata: null })
      .expect(200);
    expect(await traces(app, mark)).toEqual(
      expect.arrayContaining(['events.changes', 'idempotency_keys.body']),
    );
    await client.delete(path).expect(204);
    // As each process does every second. Until then, a tag of its own is still in the changes of the counters.
    await foldLeadCounts(app.production.db);
    expect(await traces(app, mark)).toEqual([]);
    expect(await traces(app, fields.phone)).toEqual([]);

    const events = await eventsOf(client, id);
    expect(typesOf(events)).toEqual([
      'lead.created',
      'lead.updated',
      'lead.status_changed',
      'lead.updated',
      'lead.deleted',
    ]);
    const email = `${id}@erased.invalid`;
    const empty = { phone: null, company: null, external_id: null, tags: [], metadata: {} };
    expect(events[0]?.data.object).toEqual({ ...body.data, ...empty, name: 'Erased', email });
    expect(events[2]?.data.changes).toMatchObject({
      status: { from: 'new', to: 'lost' },
      lost_reason: { from: null, to: null },
    });
    expect(events[3]?.data.changes).toEqual({
      email: { from: email, to: email },
      phone: { from: null, to: null },
      tags: { from: [], to: [] },
      metadata: { from: {}, to: {} },
    });
    expect(events[4]?.data).toEqual({ object: { id }, changes: {} });
    const keys = Object.keys(events[0]?.data.object ?? {});
    expect(keys.toSorted()).toEqual(Object.keys(body.data).toSorted());
  });

  it('is erased from a stored answer, which is still an answer', async () => {
    const { fields } = someone();
    const once = keyed();
    const first = await once.post('/leads', fields).expect(201);
    await client.delete(`/leads/${first.body.data.id}`).expect(204);
    const again = await once.post('/leads', fields).expect(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual({
      ...first.body.data,
      ...{ name: 'Erased', email: `${first.body.data.id}@erased.invalid`, phone: null },
    });
  });

  it('leaves the contact that it became, and everybody else', async () => {
    const { mark, fields } = someone();
    const lead = await make(client, leads, fields);
    const other = await make(client, leads, { name: 'Somebody Else' });
    const { body } = await keyed().post(`/leads/${lead.id}/convert`).expect(201);
    await client.delete(`/leads/${lead.id}`).expect(204);
    expect(await traces(app, mark)).toEqual(expect.arrayContaining(['contacts.email', 'events.object']));
    const { contact } = body.data;
    const [created] = await eventsOf(client, contact.id);
    expect(created?.data.object).toEqual(contact);
    expect((await eventsOf(client, other.id))[0]?.data.object).toEqual(other);
    await client.delete(`/contacts/${contact.id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
  });
});

describe('a contact that is deleted', () => {
  it('leaves no trace either, and its email stays null where it was', async () => {
    const { mark, fields } = someone();
    const texts = { title: `Title ${mark}`, company: `Company ${mark}`, tags: [mark] };
    const { name, phone } = fields;
    const { body } = await keyed()
      .post('/contacts', { name, phone, ...texts })
      .expect(201);
    const { id } = body.data;
    await keyed().patch(`/contacts/${id}`, { email: fields.email }).expect(200);
    await client.delete(`/contacts/${id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
    const events = await eventsOf(client, id);
    expect(events[0]?.data.object).toMatchObject({ name: 'Erased', email: null, title: null });
    expect(events[1]?.data.changes).toEqual({ email: { from: null, to: `${id}@erased.invalid` } });
  });
});

describe('what a receiver answered to a delivery', () => {
  it('is erased with the person whom the delivery was about', async () => {
    const { mark, fields } = someone();
    const [lead, other] = [await make(client, leads, fields), await make(client, leads)];
    const { knex } = app.production;
    const { id: webhookId } = await make(client, webhooks, { status: 'paused' });
    for (const { id } of [lead, other]) {
      const delivery = await insertDelivery(knex, webhookId, { resource_id: toUuid('lead', id) });
      await insertAttempt(knex, delivery, { response_body: `Hello ${mark}` });
    }
    await client.delete(`/leads/${lead.id}`).expect(204);
    const answers = await knex('webhook_attempts').pluck('response_body');
    expect(answers.sort()).toEqual([`Hello ${mark}`, null]);
  });
});

describe('an erasure', () => {
  it('leaves users and content alone', async () => {
    const user = await make(client, users, { name: 'Grace Hopper' });
    const contact = await make(client, contacts, { assigned_user_id: user.id });
    await client.delete(`/contacts/${contact.id}`).expect(204);
    expect((await eventsOf(client, user.id))[0]?.data.object).toEqual(user);
    expect((await eventsOf(client, contact.id))[0]?.data.object).toMatchObject({ assigned_user_id: user.id });
  });
});
