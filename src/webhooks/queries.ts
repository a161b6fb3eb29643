import { type Db, first, one } from '../db/db.ts';
import { type DeliveryLog, deleteOrphaned } from '../db/delivery-log.ts';
import { type Condition, condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare } from '../db/query.ts';
import { defineResource } from '../db/resource.ts';
import type { Input } from '../operation.ts';
import { anyUuid, toUuid } from '../values/id.ts';
import {
  type WebhookAttemptRow,
  type WebhookDeliveryRow,
  type WebhookRow,
  webhookColumns,
  webhookDeliveryColumns,
} from './tables.ts';

export const webhooks = defineResource<WebhookRow>({
  table: 'webhooks',
  prefix: 'webhook',
  another: 'another webhook',
  unique: [],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: webhookColumns,
});

export const webhookFilters: filters.FilterTable<Input<'listWebhooks'>['query']> = {
  status: filters.anyOf('status'),
  ...filters.dateFilters,
};

export const deliveries = {
  table: 'webhook_deliveries',
  columns: webhookDeliveryColumns,
  sortable: { created_at: 'timestamptz' },
} as const;

export const deliveryFilters: filters.FilterTable<Input<'listWebhookDeliveries'>['query']> = {
  status: filters.anyOf('status'),
  event_types: filters.anyOf('event_type'),
  created_from: filters.from('created_at'),
  created_to: filters.to('created_at'),
  event_id: (id) => condition('event_id = ?', toUuid('event', id)),
  resource_id: (id) => ofResource(anyUuid(id)),
  replay_id: (id) => {
    const uuid = toUuid('replay', id);
    return {
      ...condition('(replay_id = ? or earlier_replay_ids @> array[?]::uuid[])', uuid, uuid),
      usesGin: true,
    };
  },
};

/** An index has each resource's deliveries, in no order. */
export function ofResource(uuid: string | undefined): Condition {
  return uuid === undefined ? condition('false') : { ...condition('resource_id = ?', uuid), usesGin: true };
}

const deliveryOf = prepare<{ webhookId: string; id: string }, WebhookDeliveryRow>('webhook_delivery', ($) =>
  knex('webhook_deliveries')
    .where({ id: $('id'), webhook_id: $('webhookId') })
    .select(...webhookDeliveryColumns),
);

export async function findDelivery(
  db: Db,
  webhookId: string,
  id: string,
): Promise<WebhookDeliveryRow | undefined> {
  return first(db, deliveryOf({ webhookId, id }));
}

const attemptsOf = prepare<{ deliveryId: string }, WebhookAttemptRow>('webhook_attempts', ($) =>
  knex('webhook_attempts')
    .where({ delivery_id: $('deliveryId') })
    .select('delivery_id', 'number', 'attempted_at', 'duration_ms', 'status_code', 'error', 'response_body')
    .orderBy('number'),
);

export async function findAttempts(db: Db, deliveryId: string): Promise<WebhookAttemptRow[]> {
  return db.run(attemptsOf({ deliveryId }));
}

/** Inserts a new delivery of the same event to the same webhook. */
export async function repeatDelivery(db: Db, delivery: WebhookDeliveryRow): Promise<WebhookDeliveryRow> {
  const { webhook_id, event_id, event_type, resource_id } = delivery;
  return one<WebhookDeliveryRow>(
    db,
    knex('webhook_deliveries')
      .insert({ webhook_id, event_id, event_type, resource_id })
      .returning(webhookDeliveryColumns),
  );
}

const log: DeliveryLog = { table: 'webhook_deliveries', owner: 'webhook_id', owners: 'webhooks' };

export const deleteOrphanedDeliveries = (db: Db, limit: number) => deleteOrphaned(db, log, limit);

/** Deletes secrets that a rotation replaced, if their overlap period was over at `now`. Returns the number deleted. */
export async function deleteExpiredSecrets(db: Db, now: Date): Promise<number> {
  const updated = await db.run(
    knex('webhooks')
      .where('previous_secret_expires_at', '<=', now.toISOString())
      .update({ encrypted_previous_secret: null, previous_secret_expires_at: null })
      .returning('id'),
  );
  return updated.length;
}
