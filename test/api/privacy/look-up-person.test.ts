/** POST /people/lookup: everything that is stored about a person. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone } from '../../support/erasure.ts';
import { createUser, uniqueEmail } from '../../support/factories.ts';
import { makeHook, sendIn } from '../../support/hooks.ts';
import { csv, importFile } from '../../support/imports.ts';
import { contacts, leads, make } from '../../support/resources.ts';
import { insertAttempt, insertDelivery, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
});

afterAll(() => app.close());

async function read(email: string, as = client) {
  const { body, headers } = await as.post('/people/lookup', { email }).expect(200);
  expect(headers['cache-control']).toBe('no-store');
  return body.data;
}

describe('POST /people/lookup', () => {
  it('returns the lead, the contact and the user, with what is about them', async () => {
    const { fields } = someone();
    const hook = await makeHook(client);
    const sent = { ...fields, note: 'From the form' };
    const { delivery_id } = await sendIn(app, hook, sent);
    const path = `/leads?email=${fields.email}`;
    const [lead] = (await client.get(path).expect(200)).body.data;
    const once = client.with({ 'Idempotency-Key': randomUUID() });
    await once.patch(`/leads/${lead.id}`, { status: 'contacted' }).expect(200);
    const contact = await make(client, contacts, fields);
    await client.post('/notes', { lead_id: lead.id, text: 'About the lead' }).expect(201);
    await client.post('/notes', { contact_id: contact.id, text: 'About the contact' }).expect(201);
    const userId = await createUser(client, { email: fields.email });
    const { id: webhook } = await make(client, webhooks, { status: 'paused' });
    const delivery = await insertDelivery(app.production.knex, webhook, {
      resource_id: toUuid('lead', lead.id),
      status: 'succeeded',
    });
    await insertAttempt(app.production.knex, delivery, { response_body: 'Thanks' });

    const person = await read(fields.email.toUpperCase());
    expect(person).toMatchObject({
      leads: [{ id: lead.id, status: 'contacted', phone: fields.phone }],
      contacts: [contact],
      users: [{ id: userId }],
      former: [],
      status_changes: [{ to: 'contacted' }, { to: 'new', actor: { type: 'hook', name: 'Contact form' } }],
      inbound_deliveries: [{ id: delivery_id, payload: sent }],
      imports: [],
      receivers: [{ webhook_id: webhook, deliveries: 1 }],
      sales_cycles: [{ number: 1, status: 'contacted' }],
      totals: {
        sales_cycles: 1,
        status_changes: 2,
        inbound_deliveries: 1,
        stored_answers: 1,
        webhook_responses: 1,
      },
      more: [],
    });
    const texts = person.notes.map(({ text }: { text: string }) => text);
    expect(texts).toEqual(expect.arrayContaining(['About the lead', 'About the contact']));
    const types = person.events.map(({ type }: { type: string }) => type);
    expect(types).toEqual(expect.arrayContaining(['lead.created', 'contact.created', 'note.created']));
    expect(person.totals.events).toBe(types.length);
  });

  it('names the import that the person came from', async () => {
    const email = uniqueEmail();
    const { id } = await importFile(app, client, csv('name,email', `Ada,${email}`));
    expect((await read(email)).imports).toEqual([id]);
  });

  it('finds nothing about an unknown person', async () => {
    const email = uniqueEmail();
    const none = { notes: 0, sales_cycles: 0, status_changes: 0, events: 0, inbound_deliveries: 0 };
    const totals = { ...none, stored_answers: 0, webhook_responses: 0 };
    const lists = {
      leads: [],
      contacts: [],
      users: [],
      former: [],
      notes: [],
      sales_cycles: [],
      status_changes: [],
    };
    const others = { events: [], inbound_deliveries: [], imports: [], receivers: [], more: [] };
    expect(await read(email)).toEqual({ email, ...lists, ...others, totals });
  });

  it('finds data received about a person who made no lead, and in another spelling', async () => {
    const mark = randomUUID().slice(0, 8);
    const hook = await makeHook(client);
    const { delivery_id } = await sendIn(app, hook, { text: `write to ${mark}@münchen.example` });
    const person = await read(`${mark}@münchen.example`);
    expect(person.email).toBe(`${mark}@xn--mnchen-3ya.example`);
    expect(person.inbound_deliveries).toMatchObject([{ id: delivery_id, status: 'rejected' }]);
  });

  it('names who had the address before, without their data', async () => {
    const email = uniqueEmail();
    const lead = await make(client, leads, { email });
    await client.patch(`/leads/${lead.id}`, { email: uniqueEmail() }).expect(200);
    const back = await make(client, contacts, { email });
    await client.patch(`/contacts/${back.id}`, { email: null }).expect(200);
    await client.patch(`/contacts/${back.id}`, { email }).expect(200);
    expect(await read(email)).toMatchObject({ former: [lead.id], leads: [], contacts: [{ id: back.id }] });
  });

  it('shows the newest of many, and where the rest is', async () => {
    const lead = await make(client, leads);
    const { knex } = app.production;
    await knex.raw(
      `insert into events (type, request_id, actor_type, resource_id, object)
       select type, request_id, actor_type, resource_id, object from events, generate_series(1, 150)
       where resource_id = ?`,
      [toUuid('lead', lead.id) ?? ''],
    );
    const hook = await makeHook(client);
    for (let n = 0; n < 3; n += 1) {
      await sendIn(app, hook, { n, about: lead.email, text: 'x'.repeat(400_000) });
    }
    const person = await read(lead.email);
    expect(person.events).toHaveLength(100);
    expect(person.inbound_deliveries.map(({ payload }: { payload: { n: number } }) => payload.n)).toEqual([
      2, 1,
    ]);
    expect(person.totals).toMatchObject({ events: 151, inbound_deliveries: 3 });
    expect(person.more).toEqual([
      `https://api.test/v1/leads/${lead.id}/events`,
      expect.stringContaining(`https://api.test/v1${hook.path}/deliveries/inbound_`),
    ]);
    for (const url of person.more) await client.get(url.replace('https://api.test/v1', '')).expect(200);
  });

  it('needs an address and the scope admin, and sees one environment', async () => {
    const { body } = await client.post('/people/lookup', {}).expect(422);
    expect(body.errors).toHaveProperty('email');
    await client.post('/people/lookup', { email: 'nobody' }).expect(422);
    const reader = await app.client(['read', 'write']);
    await reader.post('/people/lookup', { email: 'ada@example.com' }).expect(403);
    const lead = await make(client, leads);
    expect((await read(lead.email, await app.client(allScopes, 'sandbox'))).leads).toEqual([]);
  });

  it('leaves an audit log entry without the address, so a dry run is refused', async () => {
    const admin = await app.client(allScopes);
    const email = uniqueEmail();
    const looked = async () => {
      const log = await client.get('/audit-log?action=person.looked_up&per_page=100').expect(200);
      return log.body.data.filter(({ request_id: id }: { request_id: string }) => id === email.slice(0, 20));
    };
    const once = admin.with({ 'X-Request-Id': email.slice(0, 20) });
    const { body } = await once.with({ 'Dry-Run': 'true' }).post('/people/lookup', { email }).expect(400);
    expect(body.errors).toHaveProperty('Dry-Run');
    expect(await looked()).toEqual([]);
    await once.post('/people/lookup', { email }).expect(200);
    const [entry, ...others] = await looked();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ actor: { type: 'client' }, client_id: null, name: null, erasure_id: null });
    expect(JSON.stringify({ ...entry, request_id: null })).not.toContain(email);
  });

  it('finds nothing after an erasure', async () => {
    const { fields } = someone();
    const lead = await make(client, leads, fields);
    await sendIn(app, await makeHook(client), { ...fields, name: '' });
    expect(await read(fields.email)).toMatchObject({ leads: [{ id: lead.id }] });
    await client.post('/erasures', { email: fields.email }).expect(201);
    const { totals, leads: left } = await read(fields.email);
    expect(left).toEqual([]);
    expect(Object.values(totals)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});
