import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { toAttempt, toDelivery } from './delivery.ts';
import { findOwnDelivery } from './find-own-delivery.ts';
import { findAttempts, webhooks } from './queries.ts';

export async function getWebhookDelivery(
  { path }: Input<'getWebhookDelivery'>,
  { db }: OperationContext,
): Promise<Result<'getWebhookDelivery'>> {
  const webhook = await findOrThrow(db, webhooks, path.id);
  const delivery = await findOwnDelivery(db, webhook, path.delivery_id);
  const attempts = await findAttempts(db, delivery.id);
  return { status: 200, body: { data: { ...toDelivery(delivery), attempts: attempts.map(toAttempt) } } };
}
