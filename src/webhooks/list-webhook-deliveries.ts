import { conditionsOf } from '../db/filters.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { find, listAt } from '../http/resource.ts';
import { toDelivery } from './delivery.ts';
import { deliveries, deliveriesOf, deliveryFilters, webhooks } from './queries.ts';

export async function listWebhookDeliveries(
  { path, query }: Input<'listWebhookDeliveries'>,
  { db, baseUrl }: OperationContext,
): Promise<Result<'listWebhookDeliveries'>> {
  const { id } = await find(db, webhooks, path.id);
  const conditions = [deliveriesOf(id), ...conditionsOf(deliveryFilters, query)];
  return listAt(`${baseUrl}/webhooks/${path.id}/deliveries`, deliveries, conditions, toDelivery, query, db);
}
