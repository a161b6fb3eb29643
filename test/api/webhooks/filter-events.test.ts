/** Which events a webhook with a filter gets. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { tracesOfAll } from '../../support/erasure.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { replayedFor, typesFor } from '../../support/webhook-events.ts';
import { webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
});

beforeEach(async () => {
  await app.production.knex.raw('delete from webhooks; delete from webhook_deliveries; delete from events');
});

afterAll(() => app.close());

describe('the filter of a webhook', () => {
  it('sends an event if the lead matches after it or before it', async () => {
    const webhook = await make(client, webhooks, {
      event_types: ['lead.updated'],
      filter: { status: ['contacted'] },
    });
    const lead = await createLead(client);
    const move = (patch: object) => client.patch(`/leads/${lead.id}`, patch).expect(200);
    await move({ company: 'Before' });
    expect(await typesFor(client, webhook)).toEqual([]);
    await move({ status: 'contacted' });
    await move({ company: 'Meanwhile' });
    await move({ status: 'qualified' });
    expect(await typesFor(client, webhook)).toHaveLength(3);
    await move({ company: 'After' });
    expect(await typesFor(client, webhook)).toHaveLength(3);
  });

  it('needs one state of the lead that matches all of it', async () => {
    const filter = { status: ['new'], source: ['referral'] };
    const webhook = await make(client, webhooks, { event_types: ['lead.updated'], filter });
    const lead = await createLead(client, { source: 'website' });
    await client.patch(`/leads/${lead.id}`, { status: 'contacted', source: 'referral' }).expect(200);
    expect(await typesFor(client, webhook)).toEqual([]);
  });

  it('knows former values of every kind', async () => {
    const before = {
      email: uniqueEmail(),
      other_emails: [uniqueEmail()],
      company: 'Acme',
      tags: ['vip'],
      metadata: { plan: 'gold' },
      value: { amount: '10.00', currency: 'EUR' },
      expected_close_on: '2027-01-15',
    };
    const after = {
      email: uniqueEmail(),
      other_emails: [],
      company: null,
      tags: [],
      metadata: { plan: null },
      value: null,
      expected_close_on: null,
    };
    const filters = [
      { email: before.email },
      { email: before.other_emails[0] },
      { company: 'ACME' },
      { tag: ['vip'] },
      { metadata: { plan: 'gold' } },
      { currency: 'EUR', value_from: '10', value_to: '10' },
      { expected_close_to: '2027-01-15' },
    ];
    const made = [];
    for (const filter of filters)
      made.push(await make(client, webhooks, { event_types: ['lead.updated'], filter }));
    const lead = await createLead(client, before);
    await client.patch(`/leads/${lead.id}`, after).expect(200);
    for (const [index, webhook] of made.entries())
      expect([filters[index], await typesFor(client, webhook)]).toEqual([filters[index], ['lead.updated']]);
    await client.patch(`/leads/${lead.id}`, { name: 'Later' }).expect(200);
    for (const webhook of made) expect(await typesFor(client, webhook)).toHaveLength(1);
  });

  it('sends an event of which only digests say what the lead was before', async () => {
    const filter = { metadata: { plan: 'gold' } };
    const webhook = await make(client, webhooks, { event_types: ['lead.updated'], filter });
    const long = { a: 'x'.repeat(500), b: 'x'.repeat(500), c: 'x'.repeat(500) };
    const lead = await createLead(client, { metadata: long });
    await client.patch(`/leads/${lead.id}`, { name: 'Other' }).expect(200);
    expect(await typesFor(client, webhook)).toEqual([]);
    await client.patch(`/leads/${lead.id}`, { metadata: { a: 'other' } }).expect(200);
    expect(await typesFor(client, webhook)).toEqual(['lead.updated']);
  });

  it('sends deleted and merged leads, and what is no lead, in any case', async () => {
    const webhook = await make(client, webhooks, { filter: { company: 'Nobody' } });
    const [lead, same] = [await createLead(client), await createLead(client)];
    await client.post(`/leads/${lead.id}/merge`, { lead_id: same.id }).expect(200);
    await client.post('/notes', { lead_id: lead.id, text: 'Called.' }).expect(201);
    await createUser(client);
    await client.delete(`/leads/${lead.id}`).expect(204);
    // The merged lead has both.
    const sent = ['lead.deleted', 'lead.deleted', 'lead.merged', 'note.created', 'user.created'];
    expect(await typesFor(client, webhook)).toEqual(sent);
    expect(await replayedFor(app, client, webhook)).toEqual(sent);
  });

  it('makes no delivery for what does not match, with 20 webhooks', async () => {
    for (let count = 0; count < 20; count += 1) {
      const filter = { company: `Nobody ${count}`, status: ['lost'] };
      await make(client, webhooks, { event_types: ['lead.*'], filter });
    }
    const items = Array.from({ length: 600 }, () => ({
      name: 'Ada',
      email: uniqueEmail(),
      company: 'Somebody',
    }));
    await client.post('/leads/batch/create', { items }).expect(200);
    const { body } = await client.get('/leads?per_page=1').expect(200);
    await client.patch(`/leads/${body.data[0].id}`, { status: 'won' }).expect(200);
    expect(await app.production.knex('events').count('* as count').first()).toEqual({ count: '602' });
    expect(await app.production.knex('webhook_deliveries').first()).toBeUndefined();
  });

  it('is the one of today in a replay', async () => {
    const webhook = await make(client, webhooks, { event_types: ['lead.*'] });
    await createLead(client, { source: 'website' });
    await createLead(client, { source: 'referral' });
    expect(await typesFor(client, webhook)).toHaveLength(2);
    await client.patch(`/webhooks/${webhook.id}`, { filter: { source: ['referral'] } }).expect(200);
    expect(await replayedFor(app, client, webhook)).toEqual(['lead.created']);
    await client.patch(`/webhooks/${webhook.id}`, { filter: null }).expect(200);
    expect(await replayedFor(app, client, webhook)).toEqual(['lead.created', 'lead.created']);
  });

  it('loses the address of a person who is erased', async () => {
    const email = uniqueEmail();
    const webhook = await make(client, webhooks, { event_types: ['lead.*'], filter: { email } });
    await createLead(client, { email });
    expect(await typesFor(client, webhook)).toEqual(['lead.created']);
    await client.post('/erasures', { email }).expect(201);
    const { body } = await client.get(`/webhooks/${webhook.id}`).expect(200);
    expect(body.data).toMatchObject({ filter: { email: 'erased@erased.invalid' }, version: 2 });
    expect(await tracesOfAll(app, [email])).toEqual([]);
    await createLead(client, { email });
    expect(await typesFor(client, webhook)).toEqual(['lead.created', 'lead.deleted']);
  });

  it('is shown as it was sent, and replaced as a whole', async () => {
    const filter = { created_from: '2026-01-01', company: 'ACME', tag: ['vip'] };
    const { id } = await make(client, webhooks, { filter });
    const read = await client.get(`/webhooks/${id}`).expect(200);
    expect(read.body.data.filter).toEqual(filter);
    const same = await client.patch(`/webhooks/${id}`, { filter }).expect(200);
    expect(same.body.data.version).toBe(1);
    const changed = await client.patch(`/webhooks/${id}`, { filter: { status: ['won'] } }).expect(200);
    expect(changed.body.data).toMatchObject({ filter: { status: ['won'] }, version: 2 });
    const cleared = await client.patch(`/webhooks/${id}`, { filter: null }).expect(200);
    expect(cleared.body.data).toMatchObject({ filter: null, version: 3 });
  });

  it.each([
    ['filter.search', { search: 'ada' }],
    ['filter.inactive_since', { inactive_since: '2026-01-01' }],
    ['filter.reached_from', { reached: 'won', reached_from: '2026-01-01' }],
    ['filter.colour', { colour: 'red' }],
    ['filter.status.0', { status: ['bought'] }],
    ['filter.value_from', { value_from: '100' }],
    ['filter.created_from', { created_from: '2026-02-01', created_to: '2026-01-01' }],
    ['filter', {}],
  ])('refuses %s in %j', async (field, filter) => {
    await expectRefusal(client.post('/webhooks', { ...webhooks.input(), filter }), { field });
    const { id } = await make(client, webhooks);
    await expectRefusal(client.patch(`/webhooks/${id}`, { filter }), { field });
  });
});
