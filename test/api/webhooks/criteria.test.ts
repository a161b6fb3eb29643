/** Which events a webhook gets, by their type, their actor and what they change. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { makeHook, sendIn } from '../../support/hooks.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { replayedFor, typesFor } from '../../support/webhook-events.ts';
import { webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
let other: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
  other = await app.client();
});

beforeEach(async () => {
  await app.production.knex.raw('delete from webhooks; delete from webhook_deliveries; delete from events');
});

afterAll(() => app.close());

describe('changed', () => {
  it('restricts .updated events to those that change one of the fields', async () => {
    const webhook = await make(client, webhooks, {
      event_types: ['lead.*', 'contact.updated'],
      changed: ['company', 'metadata'],
    });
    const lead = await createLead(client);
    const move = (patch: object) => client.patch(`/leads/${lead.id}`, patch).expect(200);
    await move({ name: 'Other' });
    expect(await typesFor(client, webhook)).toEqual(['lead.created']);
    await move({ company: 'Acme', name: 'Third' });
    // The event has metadata_sha256.
    await move({ metadata: { a: 'x'.repeat(500), b: 'x'.repeat(500), c: 'x' } });
    await move({ status: 'won' });
    const sent = ['lead.created', 'lead.status_changed', 'lead.updated', 'lead.updated'];
    expect(await typesFor(client, webhook)).toEqual(sent);
    expect(await replayedFor(app, client, webhook)).toEqual(sent);
    const { body } = await client.post('/contacts', { name: 'Ada' }).expect(201);
    await client.patch(`/contacts/${body.data.id}`, { company: 'Acme' }).expect(200);
    await client.patch(`/contacts/${body.data.id}`, { name: 'Eve' }).expect(200);
    expect(await typesFor(client, webhook)).toEqual(['contact.updated', ...sent]);
  });

  it('refuses fields that no event changes', async () => {
    const request = client.post('/webhooks', { ...webhooks.input(), changed: ['email', 'colour'] });
    await expectRefusal(request, { field: 'changed.1' });
    await expectRefusal(client.post('/webhooks', { ...webhooks.input(), changed: [] }), { field: 'changed' });
  });
});

describe('exclude_own and exclude_actor_ids', () => {
  it('leave out events by who caused them', async () => {
    const own = await make(client, webhooks, { event_types: ['lead.created'], exclude_own: true });
    const { body: me } = await other.get('/auth/me').expect(200);
    const hook = await makeHook(client);
    const ids = [me.data.client_id, hook.id, me.data.client_id];
    const listed = await make(client, webhooks, { event_types: ['lead.created'], exclude_actor_ids: ids });
    expect(listed).toMatchObject({ exclude_own: false, exclude_actor_ids: [me.data.client_id, hook.id] });
    expect(own).toMatchObject({ exclude_own: true, exclude_actor_ids: [] });
    await createLead(client);
    await createLead(other);
    await createLead(other);
    await sendIn(app, hook, { name: 'Bob', email: uniqueEmail() });
    expect(await typesFor(client, own)).toHaveLength(3);
    expect(await typesFor(client, listed)).toHaveLength(1);
    expect(await replayedFor(app, client, own)).toHaveLength(3);
    expect(await replayedFor(app, client, listed)).toHaveLength(1);
    const cleared = await client.patch(`/webhooks/${listed.id}`, { exclude_actor_ids: null }).expect(200);
    expect(cleared.body.data.exclude_actor_ids).toEqual([]);
  });

  it('know clients and inbound hooks only', async () => {
    const user = await createUser(client);
    const request = client.post('/webhooks', { ...webhooks.input(), exclude_actor_ids: [user] });
    await expectRefusal(request, { field: 'exclude_actor_ids.0' });
  });
});

describe('event types that end in .*', () => {
  it('stand for all types that begin so, also in replays', async () => {
    const webhook = await make(client, webhooks, { event_types: ['lead.*', 'user.created'] });
    const lead = await createLead(client);
    await client.patch(`/leads/${lead.id}`, { status: 'contacted' }).expect(200);
    await createUser(client);
    await client.post('/contacts', { name: 'Ada' }).expect(201);
    const leads = ['lead.created', 'lead.status_changed', 'lead.updated'];
    expect(await typesFor(client, webhook)).toEqual([...leads, 'user.created']);
    expect(await replayedFor(app, client, webhook, { event_types: ['lead.*'] })).toEqual(leads);
    expect(await replayedFor(app, client, webhook, { event_types: ['lead.created'] })).toEqual([
      'lead.created',
    ]);
    expect(await replayedFor(app, client, webhook, { event_types: ['user.*'] })).toEqual(['user.created']);
    expect(await replayedFor(app, client, webhook)).toEqual([...leads, 'user.created']);
    const today = new Date().toISOString().slice(0, 10);
    const request = client.post(`/webhooks/${webhook.id}/replays`, {
      from: today,
      to: today,
      event_types: ['contact.*'],
    });
    const { message } = await expectRefusal(request, { field: 'event_types' });
    expect(message).toBe('event_types has contact.*, to which the webhook does not subscribe.');
  });

  it.each(['lea.*', 'lead*', 'lead.', '*.created', 'lead.status.*'])('refuses %s', async (type) => {
    const request = client.post('/webhooks', { ...webhooks.input(), event_types: [type] });
    await expectRefusal(request, { field: 'event_types.0' });
  });
});
