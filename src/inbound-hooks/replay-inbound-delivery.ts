import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { findOrThrow, lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { checkHook, toInboundDelivery } from './delivery.ts';
import { processPayload } from './mapping/process-payload.ts';
import { deliveries, findBody, hooks } from './queries.ts';
import { readBody } from './receiving/body/read-body.ts';

/** Locks the delivery, so that two concurrent replays don't both create a lead from it. */
export async function replayInboundDelivery(
  { path, headers }: Input<'replayInboundDelivery'>,
  context: OperationContext,
): Promise<Result<'replayInboundDelivery'>> {
  const { db } = context;
  const hook = await findOrThrow(db, hooks, path.id);
  const before = await lockOrThrow(db, deliveries, { path: { id: path.delivery_id }, headers });
  checkHook(before, path.id);
  const body = await findBody(db, before.id);
  if (body === undefined) {
    const message =
      'no longer has its data: it was erased together with personal data, or removed to make room';
    throw invalidField('delivery_id', message, 'payload_erased');
  }
  const {
    lead: _lead,
    note: _note,
    ...outcome
  } = await processPayload(hook, readBody(body), context, before);
  return ok(toInboundDelivery(await updateOrThrow(context, deliveries, before, outcome)));
}
