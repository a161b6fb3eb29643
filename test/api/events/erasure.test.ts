/** A deleted person is nowhere in the database. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldLeadCounters } from '../../../src/leads/counter-queries.ts';
import { toId, toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { contacts, leads, make, type TestResource, users } from '../../support/resources.ts';
import { insertAttempt, insertDelivery, uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });

describe('a lead that is deleted', () => {
  it('leaves no name, email, phone or other personal text in any table', async () => {
    const { mark, fields } = someone();
    const texts = {
      company: `Company ${mark}`,
      external_id: `external-${mark}`,
      source_detail: `Found by ${mark}`,
    };
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
    // As each process does every second. Until then, the change log of the counters still contains the lead's own tag.
    await foldLeadCounters(app.production.db);
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
    const empty = {
      phone: null,
      company: null,
      external_id: null,
      source_detail: null,
      tags: [],
      metadata: {},
    };
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

/** As RFC 8785 sorts and writes it, for maps of strings. */
const digestOf = (value: unknown) =>
  createHash('sha256')
    .update(typeof value === 'string' ? value : JSON.stringify(value))
    .digest('hex');

describe('the digests of long values', () => {
  it.each([leads, contacts] as TestResource[])('go with the person: $path', async (resource) => {
    const long = () => randomUUID().repeat(14).slice(0, 500);
    const tags = () => Array.from({ length: 20 }, () => randomUUID() + randomUUID().slice(0, 14));
    const [first, second] = [tags(), tags()];
    const [notes, others] = [{ a: long(), b: long(), c: long() }, { a: long() }];
    const { id } = await make(client, resource, { tags: first, metadata: notes });
    const path = `${resource.path}/${id}`;
    await keyed()
      .patch(path, { tags: second, metadata: { ...others, b: null, c: null } })
      .expect(200);
    await client.patch(path, { tags: [], metadata: null }).expect(200);
    const text = long() + long() + long();
    const note = await client.post('/notes', { [`${resource.prefix}_id`]: id, text }).expect(201);
    await client.patch(`/notes/${note.body.data.id}`, { text: 'Short' }).expect(200);
    const values = [first, second, notes, others, text, 'Short'];
    const before = JSON.stringify(await eventsOf(client, id));
    for (const value of values) expect(before).toContain(digestOf(value));

    await client.delete(path).expect(204);
    for (const value of [first, text]) expect(await traces(app, digestOf(value))).toEqual([]);
    const events = await eventsOf(client, id);
    const nothing = { from: null, to: null };
    expect(events.slice(1).map(({ data }) => data.changes)).toEqual([
      { tags_sha256: nothing, metadata_sha256: nothing },
      { tags_sha256: nothing, metadata: { from: {}, to: {} } },
      {},
      { text_sha256: nothing },
      {},
    ]);
  });
});

describe('a deleted user', () => {
  it('leaves no name and no email in any table', async () => {
    const { mark, fields } = someone();
    const [name, email] = [fields.name, fields.email];
    const { id: webhookId } = await make(client, webhooks, { event_types: ['user.created'] });
    const once = keyed();
    const { body } = await once.post('/users', { name, email }).expect(201);
    const { id } = body.data;
    const changed = { name: `Other ${mark}`, email: `other-${mark}@example.com` };
    await keyed().patch(`/users/${id}`, changed).expect(200);
    const { knex } = app.production;
    const about = toUuid('user', id) ?? '';
    const [delivery] = await knex('webhook_deliveries').where({ resource_id: about });
    await insertAttempt(knex, toId('delivery', delivery?.id ?? ''), { response_body: `Hello ${mark}` });
    const places = [
      'users.name',
      'events.changes',
      'idempotency_keys.body',
      'webhook_attempts.response_body',
    ];
    expect(await traces(app, mark)).toEqual(expect.arrayContaining(places));

    await client.delete(`/users/${id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
    const erased = { name: 'Erased', email: `${id}@erased.invalid` };
    const again = await once.post('/users', { name, email }).expect(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual({ ...body.data, ...erased });
    const events = await eventsOf(client, id);
    expect(typesOf(events)).toEqual(['user.created', 'user.updated', 'user.deleted']);
    expect(events[0]?.data.object).toEqual({ ...body.data, ...erased });
    expect(events[1]?.data.changes).toEqual({
      name: { from: 'Erased', to: 'Erased' },
      email: { from: erased.email, to: erased.email },
    });
    await client.delete(`/webhooks/${webhookId}`).expect(204);
  });

  it('leaves leads with the same address alone', async () => {
    const { fields } = someone();
    const lead = await make(client, leads, fields);
    const user = await make(client, users, { name: fields.name, email: fields.email });
    await client.delete(`/users/${user.id}`).expect(204);
    expect((await eventsOf(client, lead.id))[0]?.data.object).toEqual(lead);
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

describe("a receiver's response to a delivery", () => {
  it('is erased with the person the delivery was about', async () => {
    const { mark, fields } = someone();
    const [lead, other] = [await make(client, leads, fields), await make(client, leads)];
    const { knex } = app.production;
    const { id: webhookId } = await make(client, webhooks, { status: 'paused' });
    for (const { id } of [lead, other]) {
      const delivery = await insertDelivery(knex, webhookId, { resource_id: toUuid('lead', id) });
      await insertAttempt(knex, delivery, { response_body: `Hello ${mark}` });
    }
    await client.delete(`/leads/${lead.id}`).expect(204);
    const own = knex('webhook_deliveries')
      .where({ webhook_id: uuidOf(webhookId) })
      .select('id');
    const answers = await knex('webhook_attempts').whereIn('delivery_id', own).pluck('response_body');
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
