import type { Db } from '../db/db.ts';
import type { Condition } from '../db/list/condition.ts';
import { conditionsOf, equals } from '../db/list/filters.ts';
import { findEvent } from '../events/queries.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { toUuid } from '../values/id.ts';
import { toDelivery } from './delivery.ts';
import { deliveries, deliveryFilters, ofResource, webhooks } from './queries.ts';

export async function listWebhookDeliveries(
  { path, query }: Input<'listWebhookDeliveries'>,
  context: OperationContext,
): Promise<Result<'listWebhookDeliveries'>> {
  const { id } = await findOrThrow(context.db, webhooks, path.id);
  return list(context, deliveries, {
    query,
    conditions: [
      equals('webhook_id')(id),
      ...conditionsOf(deliveryFilters, query),
      ...(await ofSameResource(context.db, query.event_id)),
    ],
    toData: toDelivery,
  });
}

/**
 * Deliveries are indexed by resource, not by event: each index makes every delivery dearer. Without the event, which may have
 * expired before a late replay's delivery, all deliveries of the webhook are searched.
 */
async function ofSameResource(db: Db, eventId: string | undefined): Promise<Condition[]> {
  const uuid = eventId === undefined ? undefined : toUuid('event', eventId);
  const event = uuid === undefined ? undefined : await findEvent(db, uuid);
  return event === undefined ? [] : [ofResource(event.resource_id)];
}
