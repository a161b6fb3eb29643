/** POST /webhooks/{id}/test with an event_id. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, createUser } from '../../support/factories.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { disable, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
let other: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  [client, other] = [await app.client(), await app.client()];
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

/** The last event of this type. */
async function lastEvent(type: string): Promise<string> {
  const { id } = await app.production.knex('events').where({ type }).orderBy('position', 'desc').first('id');
  return toId('event', id);
}

async function check(webhook: { id: string }, eventId: string) {
  const { body } = await client.post(`/webhooks/${webhook.id}/test`, { event_id: eventId }).expect(200);
  return body.data;
}

describe('POST /webhooks/{id}/test with an event_id', () => {
  it('says that the webhook would get the event, and sends nothing', async () => {
    await createLead(client);
    const event_id = await lastEvent('lead.created');
    const webhook = await make(client, webhooks, { event_types: ['lead.*'], filter: { status: ['new'] } });
    const expected = { event_id, delivered: true, unmet: [], reason: 'The webhook would get this event.' };
    expect(await check(webhook, event_id)).toEqual(expected);
    const keyed = client.with({ 'Idempotency-Key': randomUUID() });
    for (let count = 0; count < 2; count += 1) {
      const { body } = await keyed.post(`/webhooks/${webhook.id}/test`, { event_id }).expect(200);
      expect(body.data).toEqual(expected);
    }
    const { body } = await client.get(`/webhooks/${webhook.id}/deliveries`).expect(200);
    expect(body.data).toEqual([]);
  });

  it('names what the event does not meet', async () => {
    const lead = await createLead(other, { company: 'Acme', source: 'website' });
    const created = await lastEvent('lead.created');
    await client.patch(`/leads/${lead.id}`, { company: 'Other' }).expect(200);
    const updated = await lastEvent('lead.updated');
    await createUser(client);
    const user = await lastEvent('user.created');
    const { body: me } = await other.get('/auth/me').expect(200);
    const cases = [
      [{ event_types: ['contact.*'] }, created, ['event_types']],
      [{ event_types: ['lead.created'] }, created, []],
      [{ exclude_own: true }, updated, ['exclude_own']],
      [{ exclude_own: true }, created, []],
      [{ exclude_actor_ids: [me.data.client_id] }, created, ['exclude_actor_ids']],
      [{ changed: ['email'] }, updated, ['changed']],
      [{ changed: ['email'] }, created, []],
      [{ filter: { company: 'acme' } }, updated, []],
      [
        { filter: { company: 'third', source: ['website'], status: ['won'] } },
        updated,
        ['filter.company', 'filter.status'],
      ],
      [{ filter: { company: 'third' } }, user, []],
    ] as const;
    for (const [fields, event, unmet] of cases) {
      const webhook = await make(client, webhooks, fields);
      const answer = await check(webhook, event);
      expect([fields, answer]).toMatchObject([fields, { unmet, delivered: unmet.length === 0 }]);
      expect(answer.reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('says so if each filter matches one state of the lead, but no state matches all', async () => {
    const lead = await createLead(client, { company: 'Acme', source: 'website' });
    await client.patch(`/leads/${lead.id}`, { company: 'Other', source: 'referral' }).expect(200);
    const webhook = await make(client, webhooks, { filter: { company: 'Acme', source: ['referral'] } });
    expect(await check(webhook, await lastEvent('lead.updated'))).toMatchObject({
      delivered: false,
      unmet: ['filter'],
      reason: 'Neither the lead after the event nor the lead before it matches all of the filter together.',
    });
  });

  it('says that a webhook is paused or disabled', async () => {
    await createLead(client);
    const event = await lastEvent('lead.created');
    const webhook = await make(client, webhooks, { status: 'paused' });
    expect(await check(webhook, event)).toMatchObject({
      delivered: true,
      unmet: [],
      reason: 'The webhook would get this event. It is paused, so the event would wait until you enable it.',
    });
    await disable(app.production.knex, webhook.id);
    expect(await check(webhook, event)).toMatchObject({ delivered: false, unmet: ['status'] });
  });

  it('knows that a test event is for one webhook', async () => {
    const webhook = await make(client, webhooks);
    await client.post(`/webhooks/${webhook.id}/test`).expect(202);
    const answer = await check(webhook, await lastEvent('webhook.test'));
    expect(answer).toMatchObject({ delivered: false, unmet: ['recipient'] });
  });

  it('refuses unknown events', async () => {
    const { id } = await make(client, webhooks);
    const refuse = (event_id: unknown) =>
      expectRefusal(client.post(`/webhooks/${id}/test`, { event_id: event_id as string }), {
        field: 'event_id',
      });
    const { message } = await refuse('event_01m7w4n5e0e5w9fsgdq3y8x2s0');
    expect(message).toBe('event_id must be the id of an event of the last 90 days.');
    for (const wrong of ['lead_01m7w4n5e0e5w9fsgdq3y8x2s0', 'event_1', '', null, 5]) await refuse(wrong);
    await expectRefusal(client.post(`/webhooks/${id}/test`, { event: 'x' }), { field: 'event' });
  });

  it('sends a test event for an empty body', async () => {
    const { id } = await make(client, webhooks);
    await client.post(`/webhooks/${id}/test`, {}).expect(202);
  });
});
