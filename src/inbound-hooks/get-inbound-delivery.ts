import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { checkHook, toInboundDelivery } from './delivery.ts';
import { deliveries, findPayload } from './queries.ts';

export async function getInboundDelivery(
  { path }: Input<'getInboundDelivery'>,
  { db }: OperationContext,
): Promise<Result<'getInboundDelivery'>> {
  const row = await findOrThrow(db, deliveries, path.delivery_id);
  checkHook(row, path.id);
  return ok({ ...toInboundDelivery(row), payload: await findPayload(db, row.id) });
}
