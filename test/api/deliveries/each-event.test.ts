/** Subscribers receive every event type as documented. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tellDue } from '../../../src/next-steps/tell-due.ts';
import { countPending, type Received, until, verify } from '../../support/deliveries.ts';
import { readDocument } from '../../support/document.ts';
import { makeHook } from '../../support/hooks.ts';
import { contacts, content, leads, make, type TestResource, users } from '../../support/resources.ts';
import { type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';

const webhooks = Object.entries(readDocument().webhooks);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

let scene: Subscriptions;
let secret: string;
let received: Received[];

beforeAll(async () => {
  scene = await startSubscriptions();
  const subscription = await scene.subscribe();
  secret = subscription.secret;
  await liveOneDay(scene);
  await scene.client.post(`/webhooks/${subscription.id}/test`).expect(202);
  await until(async () => subscription.received().some(({ event }) => event.type === 'webhook.test'));
  await until(async () => (await countPending(scene.client, subscription.id)) === 0);
  received = subscription.received();
});

afterAll(() => scene.close());

/** What a sales team does, which causes each type of event. */
async function liveOneDay({ app, client, subscribe }: Subscriptions): Promise<void> {
  const user = await make(client, users);
  await client.patch(`/users/${user.id}`, { name: 'Rear Admiral' }).expect(200);
  const piece = await make(client, content);
  await client.patch(`/content/${piece.id}`, { title: 'Eight Ways' }).expect(200);
  for (const action of ['publish', 'unpublish', 'archive']) {
    await client.post(`/content/${piece.id}/${action}`).expect(200);
  }
  const lead = await make(client, leads);
  const change = { name: 'Lady Lovelace', status: 'contacted', assigned_user_id: user.id };
  await client.patch(`/leads/${lead.id}`, change).expect(200);
  const { body } = await client.post(`/leads/${lead.id}/convert`, {}).expect(201);
  await client.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
  const reopened = await client.post(`/leads/${lead.id}/reopen`).expect(200);
  const { sales_cycle } = reopened.body.data;
  await client.delete(`/sales-cycles/${sales_cycle.id}`).expect(204);
  await client.patch(`/leads/${lead.id}`, { value: { amount: '1400.00', currency: 'EUR' } }).expect(200);
  await client.patch(`/contacts/${body.data.contact.id}`, { title: 'Countess' }).expect(200);
  const note = (await client.post('/notes', { lead_id: lead.id, text: 'Called back.' }).expect(201)).body
    .data;
  await client.patch(`/notes/${note.id}`, { pinned: true }).expect(200);
  await client.delete(`/notes/${note.id}`).expect(204);
  for (const path of [`/leads/${lead.id}`, `/contacts/${body.data.contact.id}`]) {
    await client.delete(path).expect(204);
  }
  await make(client, contacts);
  for (const path of [`/content/${piece.id}`, `/users/${user.id}`]) await client.delete(path).expect(204);
  const hook = await makeHook(client);
  await client.post(`/hooks/${hook.token}`, { name: 'Nobody' }).expect(202);
  const known = await make(client, leads);
  await client.post(`/hooks/${hook.token}`, { name: 'Ada', email: known.email }).expect(202);
  const twin = await make(client, leads);
  await client.post(`/leads/${known.id}/merge`, { lead_id: twin.id }).expect(200);
  const [one, other] = [await make(client, contacts), await make(client, contacts)];
  await client.post(`/contacts/${one.id}/merge`, { contact_id: other.id }).expect(200);
  for (const resource of [leads, contacts] as TestResource[]) {
    await make(client, resource, { next_step_at: '2099-01-31' });
    const table = resource.path.slice(1);
    await app.production
      .knex(table)
      .whereNotNull('next_step_due_at')
      .update({ next_step_due_at: new Date(0) });
  }
  await tellDue(app.production.db);
  const gone = await subscribe(410);
  await make(client, leads);
  await gone.settled(1);
}

describe.each(webhooks)('%s', (type, { post }) => {
  it('goes out with the body and the headers that the document describes, signed', () => {
    const events = received.filter(({ event }) => event.type === type);
    expect(events.length, `events of the type ${type}`).toBeGreaterThan(0);
    const schema = post?.requestBody?.content['application/json']?.schema ?? false;
    for (const one of events) {
      verify(one, secret);
      expect(ajv.validate(schema, JSON.parse(one.body)), ajv.errorsText()).toBe(true);
      for (const { name, schema, required } of post?.parameters ?? []) {
        if (!required && !(name.toLowerCase() in one.headers)) continue;
        expect(one.headers, name).toHaveProperty(name.toLowerCase());
        const value = one.headers[name.toLowerCase()];
        const given = schema.type === 'integer' ? Number(value) : value;
        expect(ajv.validate(schema, given), `${name} ${ajv.errorsText()}`).toBe(true);
      }
    }
  });
});
