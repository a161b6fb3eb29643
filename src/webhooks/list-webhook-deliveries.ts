import { conditionsOf, equals } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { toDelivery } from './delivery.ts';
import { deliveries, deliveryFilters, webhooks } from './queries.ts';

export async function listWebhookDeliveries(
  { path, query }: Input<'listWebhookDeliveries'>,
  context: OperationContext,
): Promise<Result<'listWebhookDeliveries'>> {
  const { id } = await findOrThrow(context.db, webhooks, path.id);
  return list(context, deliveries, {
    query,
    conditions: [equals('webhook_id')(id), ...conditionsOf(deliveryFilters, query)],
    toData: toDelivery,
  });
}
