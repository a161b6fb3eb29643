import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { findOrThrow, lockOrThrow } from '../resource/rows.ts';
import { checkHook, toInboundDelivery } from './delivery.ts';
import { processAgain } from './process-again.ts';
import { deliveries, findBody, hooks } from './queries.ts';
import { readBody } from './receiving/body/read-body.ts';

/** Locks the delivery, so that two concurrent requests don't both create a lead from it. */
export async function reprocessInboundDelivery(
  { path, headers }: Input<'reprocessInboundDelivery'>,
  context: OperationContext,
): Promise<Result<'reprocessInboundDelivery'>> {
  const { db } = context;
  const hook = await findOrThrow(db, hooks, path.id);
  const before = await lockOrThrow(db, deliveries, { path: { id: path.delivery_id }, headers });
  checkHook(before, path.id);
  const body = await findBody(db, before.id);
  if (body === undefined) {
    const message =
      'The data of this delivery was deleted, because the person was erased or to free storage.';
    throw invalidField('delivery_id', message, 'payload_erased');
  }
  return ok(toInboundDelivery(await processAgain(hook, before, readBody(body), context)));
}
