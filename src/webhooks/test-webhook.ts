import { recordDelivery } from '../events/record-events.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { accepted } from './delivery.ts';
import { lockSending } from './lock-sending.ts';
import { findDelivery } from './queries.ts';

/** Works while the webhook is paused too, so that a receiver can be tested before it gets real events. */
export async function testWebhook(
  { path }: Input<'testWebhook'>,
  context: OperationContext,
): Promise<Result<'testWebhook'>> {
  const { id } = await lockSending(context.db, path, ['enabled', 'paused']);
  const object = { id: toId('webhook', id) };
  const deliveryId = await recordDelivery(context, { type: 'webhook.test', object, onlyTo: id });
  const delivery = await findDelivery(context.db, id, deliveryId);
  if (delivery === undefined) throw new Error('The test event has no delivery.');
  return accepted(delivery, context.baseUrl);
}
