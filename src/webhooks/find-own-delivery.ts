import type { Db } from '../db/db.ts';
import { notFound } from '../problem.ts';
import { toUuid } from '../values/id.ts';
import { findDelivery } from './queries.ts';
import type { WebhookDeliveryRow, WebhookRow } from './tables.ts';

/** The delivery with this public id, if it belongs to this webhook. Throws 404. */
export async function findOwnDelivery(db: Db, webhook: WebhookRow, id: string): Promise<WebhookDeliveryRow> {
  const uuid = toUuid('delivery', id);
  const delivery = uuid === undefined ? undefined : await findDelivery(db, webhook.id, uuid);
  if (delivery === undefined) throw notFound(`The delivery ${id} to this webhook`);
  return delivery;
}
