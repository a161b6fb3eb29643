import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookDeliveryRow } from '../../../src/webhooks/tables.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { parseLinks } from '../../support/lists.ts';
import { deleteOld } from '../../support/old-data.ts';
import { contacts, expectRefusal, make } from '../../support/resources.ts';
import { getDelivery, insertAttempt, insertDelivery, uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
let webhookId: string;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(async () => {
  await app.production.knex('webhooks').delete();
  webhookId = (await make(client, webhooks)).id;
  path = `/webhooks/${webhookId}/deliveries`;
});

afterAll(() => app.close());

const insert = (fields: Partial<WebhookDeliveryRow> = {}) =>
  insertDelivery(app.production.knex, webhookId, fields);

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

describe('GET /webhooks/{id}/deliveries', () => {
  it('lists the webhook’s own deliveries, newest first, without their attempts', async () => {
    await insertDelivery(app.production.knex, (await make(client, webhooks)).id);
    const made = [await insert(), await insert(), await insert()];
    await app.production.knex('webhook_deliveries').update({ created_at: '2026-11-20T09:30:00.000Z' });
    const { body } = await client.get(path).expect(200);
    expect(idsOf(body.data)).toEqual(made.toReversed());
    expect(body.meta).toEqual({
      total: 3,
      per_page: 20,
      current_page: 1,
      last_page: 1,
      next_cursor: null,
      has_more: false,
    });
    for (const item of body.data) {
      const { attempts, ...shown } = await getDelivery(client, webhookId, item.id);
      expect([shown, attempts]).toEqual([item, []]);
    }
  });

  it('can be read by cursor without gaps or repeats while deliveries are added', async () => {
    const made = [];
    for (let number = 0; number < 5; number += 1) made.push(await insert());
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? 'per_page=2' : `per_page=2&cursor=${cursor}`;
      const { body, headers } = await client.get(`${path}?${query}`).expect(200);
      seen.push(...idsOf(body.data));
      expect(parseLinks(headers.link ?? '').first).toContain(`/v1${path}?`);
      await insert();
      cursor = body.meta.next_cursor;
    }
    expect(seen).toEqual(made.toReversed());
  });

  it.each([
    ['status=pending', 'A'],
    ['status=failed', 'B'],
    ['status=failed,succeeded', 'CB'],
    ['event_types=lead.deleted', 'C'],
    ['event_types=lead.created,lead.deleted', 'CBA'],
    ['event_types=lead.created&status=failed', 'B'],
    ['created_from=2026-11-02', 'CB'],
    ['created_to=2026-11-02', 'BA'],
    ['created_from=2026-11-02&created_to=2026-11-02&status=failed', 'B'],
    ['sort=created_at', 'ABC'],
  ])('with %s shows %s', async (query, expected) => {
    const at = (day: number) => ({ created_at: `2026-11-0${day}T12:00:00.000Z` });
    const ids: Record<string, string> = {
      [await insert({ ...at(1), status: 'pending' })]: 'A',
      [await insert({ ...at(2), status: 'failed' })]: 'B',
      [await insert({ ...at(3), event_type: 'lead.deleted' })]: 'C',
    };
    const { body } = await client.get(`${path}?${query}`).expect(200);
    expect(body.data.map(({ id }: { id: string }) => ids[id]).join('')).toBe(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  it.each([
    ['status=lost', 'status'],
    ['event_types=lead.sold', 'event_types'],
    ['event_types=*', 'event_types'],
    ['sort=updated_at', 'sort'],
    ['per_page=101', 'per_page'],
    ['created_from=yesterday', 'created_from'],
    ['colour=red', 'colour'],
    ['event_id=lead_01h455vb4pex5vsknk084sn02q', 'event_id'],
    [`resource_id=${'x'.repeat(101)}`, 'resource_id'],
  ])('rejects %s by name', async (query, field) => {
    const code = 'invalid_parameter';
    await expectRefusal(client.get(`${path}?${query}`), { status: 400, field, code });
  });

  it('finds the deliveries of an event, and of a resource', async () => {
    const [lead, contact] = [await createLead(client), await make(client, contacts)];
    await client.post('/notes', { lead_id: lead.id, text: 'Called' }).expect(201);
    await client.patch(`/leads/${lead.id}`, { name: 'Changed' }).expect(200);
    const find = async (query: string) => {
      const { body } = await client.get(`${path}?${query}&sort=created_at`).expect(200);
      expect(body.meta.total).toBe(body.data.length);
      return body.data as { id: string; event_id: string; event_type: string }[];
    };
    const ofLead = await find(`resource_id=${lead.id}`);
    expect(ofLead.map(({ event_type }) => event_type)).toEqual([
      'lead.created',
      'note.created',
      'lead.updated',
    ]);
    expect(await find(`resource_id=${contact.id}`)).toMatchObject([{ event_type: 'contact.created' }]);
    expect(await find(`resource_id=${lead.id}&event_types=note.created`)).toHaveLength(1);
    const [created] = ofLead;
    expect(await find(`event_id=${created?.event_id}`)).toEqual([created]);
    await client.post(`${path}/${created?.id}/redeliver`).expect(202);
    expect(await find(`event_id=${created?.event_id}`)).toHaveLength(2);
    expect(await find(`event_id=${created?.event_id}&resource_id=${contact.id}`)).toEqual([]);
    // The event has expired, but a late replay's delivery has not.
    await app.production
      .knex('events')
      .where({ id: uuidOf(created?.event_id ?? '') })
      .delete();
    expect(await find(`event_id=${created?.event_id}`)).toHaveLength(2);
    // Another webhook's deliveries are its own.
    const other = (await make(client, webhooks)).id;
    const { body } = await client.get(`/webhooks/${other}/deliveries?resource_id=${lead.id}`).expect(200);
    expect(body.data).toEqual([]);
  });

  it.each([
    'event_id=event_01h455vb4pex5vsknk084sn02q',
    'resource_id=lead_01h455vb4pex5vsknk084sn02q',
    'resource_id=nonsense',
  ])('finds nothing for %s', async (query) => {
    await insert();
    const { body } = await client.get(`${path}?${query}`).expect(200);
    expect([body.data, body.meta.total]).toEqual([[], 0]);
  });

  it('answers 404 for an unknown webhook', async () => {
    await client.get('/webhooks/webhook_01h455vb4pex5vsknk084sn02q/deliveries').expect(404);
  });

  it('goes back 30 days: older deliveries are deleted with their attempts, in batches', async () => {
    const { db, knex } = app.production;
    const { rows } = await knex.raw(`select new_uuid(now() - interval '30 days 1 hour') as a,
      new_uuid(now() - interval '40 days') as b, new_uuid(now() - interval '29 days') as young`);
    const { a, b, young } = rows[0];
    for (const id of [a, b, young]) await insertAttempt(knex, await insert({ id }));
    expect([
      await deleteOld(db, 'webhook_deliveries', 1),
      await deleteOld(db, 'webhook_deliveries', 1),
    ]).toEqual([1, 1]);
    expect(await deleteOld(db, 'webhook_deliveries', 1)).toBe(0);
    const { body } = await client.get(path).expect(200);
    expect(body.data.map(({ id }: { id: string }) => uuidOf(id))).toEqual([young]);
    expect(await knex('webhook_attempts').whereIn('delivery_id', [a, b, young])).toHaveLength(1);
  });
});
