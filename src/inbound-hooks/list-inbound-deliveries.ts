import { conditionsOf, equals } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { toInboundDelivery } from './delivery.ts';
import { deliveries, deliveryFilters, hooks } from './queries.ts';

export async function listInboundDeliveries(
  { path, query }: Input<'listInboundDeliveries'>,
  context: OperationContext,
): Promise<Result<'listInboundDeliveries'>> {
  const { id } = await findOrThrow(context.db, hooks, path.id);
  return list(context, deliveries, {
    query,
    conditions: [equals('hook_id')(id), ...conditionsOf(deliveryFilters, query)],
    toData: toInboundDelivery,
  });
}
