import type { Knex } from 'knex';
import type { components } from '../../generated/api.ts';
import { newUuid, toId, toUuid } from '../../src/values/id.ts';
import { HOUR } from '../../src/values/time.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/webhooks/tables.ts';
import type { TestClient } from './client.ts';
import type { TestResource } from './resources.ts';

type Schemas = components['schemas'];

export const webhooks: TestResource<Schemas['WebhookWithSecret']> = {
  path: '/webhooks',
  prefix: 'webhook',
  nameField: 'name',
  required: ['url', 'event_types'],
  input: () => ({ url: 'https://example.com/hooks', event_types: ['*'] }),
};

/** The uuid of a public id. */
export function uuidOf(id: string): string {
  const prefix = id.slice(0, id.lastIndexOf('_')) as Parameters<typeof toUuid>[0];
  return toUuid(prefix, id) ?? '';
}

export const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR);

/** Events in the log, `count` of the type at that time. Returns their public ids, in order. */
export async function insertPastEvents(
  db: Knex,
  { type, at, count, resourceId }: { type: string; at: Date; count: number; resourceId: string },
): Promise<string[]> {
  const { rows } = await db.raw(
    `insert into events (id, type, occurred_at, request_id, actor_type, resource_id, object)
    select new_uuid(:at::timestamptz), :type, :at::timestamptz, 'test-request', 'system', :resourceId, '{}'
    from generate_series(1, :count) returning id`,
    { type, at, resourceId, count },
  );
  return rows.map(({ id }: { id: string }) => toId('event', id)).toSorted();
}

/** Inserts a delivery as the worker leaves it. Returns its public id. */
export async function insertDelivery(
  db: Knex,
  webhookId: string,
  fields: Partial<WebhookDeliveryRow> & { leased_until?: string } = {},
): Promise<string> {
  const row = {
    id: newUuid(),
    webhook_id: uuidOf(webhookId),
    event_id: newUuid(),
    event_type: 'lead.created',
    resource_id: newUuid(),
    status: 'succeeded' as const,
    ...fields,
  };
  await db('webhook_deliveries').insert(row);
  return toId('delivery', row.id);
}

/** Inserts an attempt of a delivery. */
export async function insertAttempt(
  db: Knex,
  deliveryId: string,
  fields: Partial<WebhookAttemptRow> = {},
): Promise<void> {
  await db('webhook_attempts').insert({
    delivery_id: uuidOf(deliveryId),
    number: 1,
    attempted_at: '2026-11-20T09:30:00.000Z',
    duration_ms: 31,
    status_code: 200,
    ...fields,
  });
}

/** Has the service disable the webhook, as it does after 72 hours of failures. */
export async function disable(db: Knex, id: string): Promise<void> {
  await db('webhooks')
    .where({ id: uuidOf(id) })
    .update({
      status: 'disabled',
      disabled_reason: 'no success in 72 hours',
      failing_since: new Date().toISOString(),
    });
}

/** The public ids of the deliveries to this webhook that are due, in the order of their creation. */
export async function dueDeliveries(client: TestClient, webhookId: string): Promise<string[]> {
  const path = `/webhooks/${webhookId}/deliveries?status=pending&sort=created_at&per_page=100`;
  const { body } = await client.get(path).expect(200);
  const deliveries: Schemas['WebhookDelivery'][] = body.data;
  return deliveries
    .filter(({ next_attempt_at: at }) => at !== null && Date.parse(at) <= Date.now())
    .map(({ id }) => id);
}

export async function getDelivery(
  client: TestClient,
  webhookId: string,
  id: string,
): Promise<Schemas['WebhookDeliveryWithAttempts']> {
  const { body } = await client.get(`/webhooks/${webhookId}/deliveries/${id}`).expect(200);
  return body.data;
}
