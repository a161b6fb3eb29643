import { conditionsOf, equals } from '../db/filters.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { find, listAt } from '../http/resource.ts';
import { toInboundDelivery } from './delivery.ts';
import { deliveries, deliveryFilters, hooks } from './queries.ts';

export async function listInboundDeliveries(
  { path, query }: Input<'listInboundDeliveries'>,
  { db, baseUrl }: OperationContext,
): Promise<Result<'listInboundDeliveries'>> {
  const { id } = await find(db, hooks, path.id);
  const conditions = [equals('hook_id')(id), ...conditionsOf(deliveryFilters, query)];
  const url = `${baseUrl}/inbound-hooks/${path.id}/deliveries`;
  return listAt(url, deliveries, conditions, toInboundDelivery, query, db);
}
