import { DELIVERIES } from '../events/channels.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { accepted } from './delivery.ts';
import { findOwnDelivery } from './find-own-delivery.ts';
import { lockSending } from './lock-sending.ts';
import { repeatDelivery } from './queries.ts';

export async function redeliverWebhookDelivery(
  { path }: Input<'redeliverWebhookDelivery'>,
  { db, baseUrl }: OperationContext,
): Promise<Result<'redeliverWebhookDelivery'>> {
  const webhook = await lockSending(db, path);
  const delivery = await repeatDelivery(db, await findOwnDelivery(db, webhook, path.delivery_id));
  db.notify(DELIVERIES);
  return accepted(delivery, baseUrl);
}
