import { hash } from 'node:crypto';
import { newUuid, toId } from '../db/id.ts';
import type { InboundHookRow } from '../db/inbound-tables.ts';
import { findRow } from '../db/resource.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Input, OperationContext, Result, Schema } from '../http/operation.ts';
import { notFound, Problem } from '../http/problem.ts';
import { emailsIn } from './emails-in.ts';
import { mapLead } from './map-lead.ts';
import { processPayload } from './process-payload.ts';
import { claimDelivery, hooks, settleDelivery } from './queries.ts';
import { verifySender } from './verify-sender.ts';

/** Seconds after which there may be room again. */
const RETRY_AFTER = '600';

/** Nothing is written of what fails its verification, so that nobody fills the log from outside. */
export async function receiveDelivery(
  { body }: Input<'receiveDelivery'>,
  context: OperationContext,
): Promise<Result<'receiveDelivery'>> {
  const { db } = context;
  const hook = await findHook(context);
  verifySender(hook, context);
  const id = newUuid();
  const first = await claimDelivery(db, {
    id,
    hookId: hook.id,
    dedupeKey: identityOf(context),
    payload: body,
    // The one that is mapped first, whatever else there is.
    emails: emailsIn([body, mapLead(hook, body).email]),
    storage: context.inboundStorage,
  });
  if (first.id !== id) return receipt(first.id, 'duplicate');
  const outcome = await processPayload(hook, body, context);
  // A lead needs no payload, but of what is rejected there is nothing else: its sender keeps it, and sends it again.
  if (outcome.status === 'rejected' && !first.is_kept) throw storageFull();
  await settleDelivery(db, id, outcome);
  if (outcome.status === 'rejected') {
    const object = {
      id: toId('hook', hook.id),
      name: hook.name,
      delivery_id: toId('delivery', id),
      errors: outcome.errors ?? {},
    };
    await recordEvents(context, [{ type: 'inbound.rejected', resourceId: hook.id, object }]);
  }
  return receipt(id, outcome.status);
}

function storageFull(): Problem {
  const message =
    'This makes no lead, and there is no room to keep it until the hook is corrected. Nothing was stored; send it again later.';
  return new Problem('inbound_storage_full', message, { headers: { 'Retry-After': RETRY_AFTER } });
}

/** The hook whose address was used, unless it was paused or deleted since that was found out. */
async function findHook({ db, principal }: OperationContext): Promise<InboundHookRow> {
  const hook = principal.hookId === null ? undefined : await findRow(db, hooks, principal.hookId);
  if (hook?.status !== 'enabled') throw notFound('The hook');
  return hook;
}

/** What two deliveries have in common that are the same: the id that the sender gave, else the body. */
function identityOf({ headers, rawBody }: OperationContext): Buffer {
  const given = headers['webhook-id'];
  return hash('sha256', given ? `webhook-id ${given}` : (rawBody ?? ''), 'buffer');
}

function receipt(id: string, status: Schema<'InboundReceipt'>['status']): Result<'receiveDelivery'> {
  return { status: 202, body: { data: { delivery_id: toId('delivery', id), status } } };
}
