/** POST /erasures: a person is nowhere in the environment, and an erasure proves it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldLeadCounters } from '../../../src/leads/counter-queries.ts';
import { toUuid } from '../../../src/values/id.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { eventsOf } from '../../support/events.ts';
import { leadInput, uniqueEmail } from '../../support/factories.ts';
import { leadsOf, makeHook, sendIn } from '../../support/hooks.ts';
import { contacts, leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
});

afterAll(() => app.close());

const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });

async function erase(email: string, more: object = {}) {
  const { body } = await client.post('/erasures', { email, ...more }).expect(201);
  return body.data;
}

const none = {
  leads: 0,
  contacts: 0,
  notes: 0,
  events: 0,
  stored_answers: 0,
  inbound_deliveries: 0,
  webhook_responses: 0,
};

describe('POST /erasures', () => {
  it('deletes the lead and the contact with their notes, and leaves no trace of them', async () => {
    const { mark, fields } = someone();
    const { body } = await keyed()
      .post('/leads', { ...fields, company: `Company ${mark}`, metadata: { mark } })
      .expect(201);
    const lead = body.data;
    const converted = await keyed().post(`/leads/${lead.id}/convert`).expect(201);
    const { contact } = converted.body.data;
    await keyed()
      .post('/notes', { lead_id: lead.id, text: `About ${mark}` })
      .expect(201);
    await keyed()
      .post('/notes', { contact_id: contact.id, text: `About ${mark}` })
      .expect(201);
    const other = await make(client, leads);

    const erasure = await erase(fields.email.toUpperCase());
    expect(erasure.counts).toMatchObject({ leads: 1, contacts: 1, notes: 2, stored_answers: 4 });
    expect(erasure.counts.events).toBeGreaterThan(5);
    await foldLeadCounters(app.production.db);
    expect(await traces(app, mark)).toEqual([]);
    expect(await traces(app, fields.phone)).toEqual([]);
    await client.get(`/leads/${lead.id}`).expect(404);
    await client.get(`/contacts/${contact.id}`).expect(404);
    await client.get(`/leads/${other.id}`).expect(200);
    const types = (await eventsOf(client, lead.id)).map(({ type }) => type);
    expect(types.at(-1)).toBe('lead.deleted');
  });

  it('finds nobody, which an erasure proves too', async () => {
    const email = uniqueEmail();
    expect((await erase(email)).counts).toEqual(none);
    expect((await erase(email)).counts).toEqual(none);
    expect(await traces(app, email)).toEqual([]);
  });

  it('stores neither the address nor a digest of it, even with an Idempotency-Key', async () => {
    const email = uniqueEmail();
    const once = keyed();
    const first = await once.post('/erasures', { email }).expect(201);
    const second = await once.post('/erasures', { email: uniqueEmail() }).expect(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    const kept = await app.production.knex.raw('select from idempotency_keys where key = ?', [
      once.headers['Idempotency-Key'] ?? '',
    ]);
    expect(kept.rows).toEqual([]);
    expect(await traces(app, email)).toEqual([]);
  });

  it('leaves the stored answer without the person to repeated requests, but not to other operations', async () => {
    const once = keyed();
    const input = leadInput();
    const first = await once.post('/leads', input).expect(201);
    await erase(input.email);
    const again = await once.post('/leads', input).expect(201).expect('Idempotency-Replayed', 'true');
    expect(again.body.data).toMatchObject({ id: first.body.data.id, name: 'Erased' });
    const { body } = await once.post('/contacts', { name: 'Ada' }).expect(422);
    expect(body.code).toBe('idempotency_key_reused');
  });

  it('finds an international domain in both spellings', async () => {
    const mark = randomUUID().slice(0, 8);
    const lead = await make(client, leads, { email: `${mark}@münchen.example` });
    expect(lead.email).toBe(`${mark}@xn--mnchen-3ya.example`);
    const hook = await makeHook(client);
    await sendIn(app, hook, { text: `write to ${mark}@münchen.example` });
    expect((await erase(`${mark}@MÜNCHEN.example`)).counts).toMatchObject({
      leads: 1,
      inbound_deliveries: 1,
    });
    expect(await traces(app, mark)).toEqual([]);
  });

  it('changes nothing in a dry run, and says what it would erase', async () => {
    const lead = await make(client, leads);
    const { body, headers } = await client
      .with({ 'Dry-Run': 'true' })
      .post('/erasures', { email: lead.email })
      .expect(201);
    expect(headers['dry-run']).toBe('true');
    expect(body.data.counts).toMatchObject({ leads: 1, events: 2 });
    await client.get(`/erasures/${body.data.id}`).expect(404);
    expect((await client.get(`/leads/${lead.id}`).expect(200)).body.data).toEqual(lead);
  });

  it('erases once when it is requested twice at the same time', async () => {
    const lead = await make(client, leads);
    const all = await Promise.all(Array.from({ length: 4 }, () => erase(lead.email)));
    const deleted = all.map(({ counts }) => counts.leads).sort();
    expect(deleted).toEqual([0, 0, 0, 1]);
  });

  it('needs an address and the scope admin', async () => {
    await client.post('/erasures', {}).expect(422);
    await client.post('/erasures', { email: 'nobody' }).expect(422);
    await client.post('/erasures', { email: uniqueEmail(), name: 'Ada' }).expect(422);
    const writer = await app.client(['read', 'write']);
    for (const request of [
      writer.post('/erasures', { email: uniqueEmail() }),
      writer.get('/erasures'),
      writer.get('/erasures/erasure_01m7w4n5e0f2f9tq0m3c8xk7vd'),
    ]) {
      expect((await request.expect(403)).body.code).toBe('insufficient_scope');
    }
  });

  it('leaves the other environment alone', async () => {
    const sandbox = await app.client(allScopes, 'sandbox');
    const email = uniqueEmail();
    await make(client, leads, { email });
    await make(sandbox, leads, { email });
    await sandbox.post('/erasures', { email }).expect(201);
    expect(await leadsOf(sandbox, email)).toEqual([]);
    expect(await leadsOf(client, email)).toHaveLength(1);
  });
});

describe('what a person had before', () => {
  it('is erased from the history of a lead with another address, which stays', async () => {
    const { mark, fields } = someone();
    const { body } = await keyed()
      .post('/leads', { ...fields, name: 'Somebody Else' })
      .expect(201);
    const { id } = body.data;
    const contact = await make(client, contacts, { email: fields.email });
    await client.patch(`/contacts/${contact.id}`, { email: uniqueEmail() }).expect(200);
    const email = uniqueEmail();
    await keyed().patch(`/leads/${id}`, { email }).expect(200);
    const longer = await make(client, leads, { email: `x.${fields.email}` });

    const erasure = await erase(fields.email);
    expect(erasure.former.toSorted()).toEqual([contact.id, id].toSorted());
    expect(erasure.counts).toMatchObject({ leads: 0, contacts: 0, events: 4, stored_answers: 1 });
    expect(await traces(app, `"${fields.email}`)).toEqual([]);
    expect((await client.get(`/leads/${longer.id}`).expect(200)).body.data.email).toBe(longer.email);
    const [created, updated] = await eventsOf(client, id);
    expect(created?.data.object).toMatchObject({ name: 'Somebody Else', email: 'erased@erased.invalid' });
    expect(updated?.data.changes).toEqual({ email: { from: 'erased@erased.invalid', to: email } });
    expect((await client.get(`/leads/${id}`).expect(200)).body.data).toMatchObject({ email });
    expect(mark).not.toBe('');
  });

  it('is a 503 that has erased nothing while somebody holds a row, and can be sent again', async () => {
    const lead = await make(client, leads);
    const holder = await app.production.knex.transaction();
    await holder.raw('select from leads where id = ? for update', [toUuid('lead', lead.id) ?? '']);
    const { body } = await client.post('/erasures', { email: lead.email }).expect(503);
    expect(body).toMatchObject({
      code: 'unavailable',
      message: 'Another request is still changing the same data. Try again shortly.',
    });
    await client.get(`/leads/${lead.id}`).expect(200);
    await holder.rollback();
    expect((await erase(lead.email)).counts).toMatchObject({ leads: 1 });
  });

  it('goes with that lead if asked', async () => {
    const { mark, fields } = someone();
    const lead = await make(client, leads, fields);
    await client.patch(`/leads/${lead.id}`, { email: `new-${mark}@example.com` }).expect(200);
    const erasure = await erase(fields.email, { include_former: true });
    expect(erasure).toMatchObject({ former: [], counts: { leads: 1 } });
    expect(await traces(app, mark)).toEqual([]);
  });
});
