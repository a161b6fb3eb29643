import { recordDelivery } from '../events/record-events.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { toId } from '../values/id.ts';
import { checkEvent } from './check-event.ts';
import { accepted } from './delivery.ts';
import { lockSending } from './lock-sending.ts';
import { findDelivery, webhooks } from './queries.ts';

/** Works while the webhook is paused too, so that a receiver can be tested before it gets real events. */
export async function testWebhook(
  { path, body }: Input<'testWebhook'>,
  context: OperationContext,
): Promise<Result<'testWebhook'>> {
  const { db } = context;
  if (body?.event_id !== undefined) {
    const webhook = await findOrThrow(db, webhooks, path.id);
    return { status: 200, body: { data: await checkEvent(db, webhook, body.event_id) } };
  }
  const { id } = await lockSending(db, path, ['enabled', 'paused']);
  const object = { id: toId('webhook', id) };
  const deliveryId = await recordDelivery(context, { type: 'webhook.test', object, onlyTo: id });
  const delivery = await findDelivery(db, id, deliveryId);
  if (delivery === undefined) throw new Error('The test event has no delivery.');
  return accepted(delivery, context.baseUrl);
}
