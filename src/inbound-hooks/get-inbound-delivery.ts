import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { checkHook, toInboundDelivery } from './delivery.ts';
import { deliveries, findBody } from './queries.ts';
import { readBody } from './receiving/body/read-body.ts';

export async function getInboundDelivery(
  { path }: Input<'getInboundDelivery'>,
  { db }: OperationContext,
): Promise<Result<'getInboundDelivery'>> {
  const row = await findOrThrow(db, deliveries, path.delivery_id);
  checkHook(row, path.id);
  const body = await findBody(db, row.id);
  const payload = body === undefined ? null : readBody(body).payload;
  return ok({ ...toInboundDelivery(row), payload });
}
