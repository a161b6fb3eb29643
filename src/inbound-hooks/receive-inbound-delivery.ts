import { lockRow } from '../db/resource.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { Problem } from '../problem.ts';
import { newUuid, toId } from '../values/id.ts';
import { findEnabledHook } from './enabled-hook.ts';
import { mappedEmails } from './mapping/given-fields.ts';
import { processPayload } from './mapping/process-payload.ts';
import { processAgain } from './process-again.ts';
import { claimDelivery, deliveries, settleDelivery } from './queries.ts';
import type { Read } from './receiving/body/read-body.ts';
import { answer, checkOrigin } from './receiving/browser.ts';
import { extractEmails } from './receiving/extract-emails.ts';
import { isOfBot, skippedAsBot } from './receiving/honeypot.ts';
import { receiveBody } from './receiving/receive-body.ts';
import type { InboundHookRow } from './tables.ts';

/** Seconds until storage may have been freed. */
const RETRY_AFTER = '600';

/** Stores nothing when the origin or the verification is wrong, so that outsiders can't fill the log. */
export async function receiveInboundDelivery(
  _input: Input<'receiveInboundDelivery'>,
  context: OperationContext,
): Promise<Result<'receiveInboundDelivery'>> {
  const { db, mediaType } = context;
  const hook = await findEnabledHook(context);
  const headers = checkOrigin(hook, context);
  const { body, read, dedupeKey } = receiveBody(hook, context);
  const answerWith = (deliveryId: string, status: Schema<'InboundResult'>['status']) =>
    answer(hook, { mediaType, headers }, { delivery_id: toId('inbound', deliveryId), status });
  const id = newUuid();
  const first = await claimDelivery(db, {
    id,
    hookId: hook.id,
    dedupeKey,
    body,
    // The payload's addresses may not include the mapped one.
    emails: extractEmails([read.payload, mappedEmails(hook, read)]),
    storage: context.inboundStorage,
  });
  if (isOfBot(hook, read)) {
    if (first.id === id) await settleDelivery(db, id, skippedAsBot(hook));
    return answerWith(first.id, 'created');
  }
  if (first.id !== id) return answerWith(first.id, await repeat(hook, first.id, read, context));
  const outcome = await processPayload(hook, read, context);
  // A lead doesn't need its payload. A rejected delivery is useless without it, so the sender must send it again.
  if (outcome.status === 'rejected' && !first.is_stored) throw storageFull();
  await settleDelivery(db, id, outcome);
  if (outcome.status === 'rejected') {
    const object = {
      id: toId('hook', hook.id),
      name: hook.name,
      delivery_id: toId('inbound', id),
      errors: outcome.errors ?? {},
    };
    await recordEvents(context, [{ type: 'inbound.rejected', object }]);
  }
  return answerWith(id, outcome.status);
}

/** A repeated delivery has no effect, unless it made no lead before: the mapping may have been corrected since. */
async function repeat(hook: InboundHookRow, id: string, read: Read, context: OperationContext) {
  const before = await lockRow(context.db, deliveries, id, 'no key update');
  // Its lead exists: claimDelivery() sees to that.
  if (before === undefined || before.lead_id !== null) return 'duplicate';
  return (await processAgain(hook, before, read, context)).status;
}

function storageFull(): Problem {
  const message =
    'The data does not make a valid lead, and there is no room left to keep it. Nothing was stored. Send it again later.';
  return new Problem('inbound_storage_full', message, { headers: { 'Retry-After': RETRY_AFTER } });
}
