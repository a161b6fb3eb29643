/** The notes about a person are erased with the person. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toId, toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { traces } from '../../support/erasure.ts';
import { eventsOf } from '../../support/events.ts';
import { contacts, leads, make, type TestResource } from '../../support/resources.ts';
import { insertAttempt, uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });

describe.each([leads, contacts] as TestResource[])('notes about $path', (owner) => {
  const field = `${owner.prefix}_id`;

  it('are nowhere in the database once their subject is deleted', async () => {
    const mark = randomUUID().slice(0, 8);
    const { id: webhookId } = await make(client, webhooks, { event_types: ['note.created'] });
    const { id } = await make(client, owner);
    const once = keyed();
    const first = await once.post('/notes', { [field]: id, text: `First ${mark}` }).expect(201);
    const at = `/notes/${first.body.data.id}`;
    await keyed()
      .patch(at, { text: `Second ${mark}` })
      .expect(200);
    const gone = await keyed()
      .post('/notes', { [field]: id, text: `Deleted ${mark}` })
      .expect(201);
    await client.delete(`/notes/${gone.body.data.id}`).expect(204);
    const { knex } = app.production;
    const about = toUuid(owner.prefix as 'lead' | 'contact', String(id)) ?? '';
    const [delivery] = await knex('webhook_deliveries').where({
      resource_id: about,
      webhook_id: uuidOf(webhookId),
    });
    await insertAttempt(knex, toId('delivery', delivery?.id ?? ''), { response_body: `Thanks for ${mark}` });
    expect(await traces(app, mark)).toEqual(
      expect.arrayContaining([
        'notes.text',
        'events.object',
        'events.changes',
        'idempotency_keys.body',
        'webhook_attempts.response_body',
      ]),
    );

    await client.delete(`${owner.path}/${id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
    const events = await eventsOf(client, id);
    expect(events[1]?.data).toEqual({ object: { ...first.body.data, text: 'Erased' }, changes: {} });
    expect(events[2]?.data.changes).toEqual({ text: { from: 'Erased', to: 'Erased' } });
    const again = await once.post('/notes', { [field]: id, text: `First ${mark}` }).expect(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual({ ...first.body.data, text: 'Erased' });
    await client.delete(`/webhooks/${webhookId}`).expect(204);
  });

  it('stay if another subject is deleted', async () => {
    const mark = randomUUID().slice(0, 8);
    const [one, other] = [await make(client, owner), await make(client, owner)];
    await keyed()
      .post('/notes', { [field]: one.id, text: mark })
      .expect(201);
    await keyed()
      .post('/notes', { [field]: other.id, text: 'Other' })
      .expect(201);
    await client.delete(`${owner.path}/${other.id}`).expect(204);
    expect((await traces(app, mark)).sort()).toEqual([
      'events.object',
      'idempotency_keys.body',
      'notes.text',
    ]);
  });
});

it('keeps the stored answers about a lead when its contact is deleted', async () => {
  const lead = await make(client, leads);
  const { body } = await client.post(`/leads/${lead.id}/convert`, {}).expect(201);
  const once = keyed();
  const first = await once.patch(`/leads/${lead.id}`, { company: 'Analytical Engines' }).expect(200);
  expect(first.body.data.contact_id).toBe(body.data.contact.id);
  await client.delete(`/contacts/${body.data.contact.id}`).expect(204);
  const again = await once.patch(`/leads/${lead.id}`, { company: 'Analytical Engines' }).expect(200);
  expect(again.body).toEqual(first.body);
});
