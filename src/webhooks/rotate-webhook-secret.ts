import { encrypt } from '../auth/secrets.ts';
import type { WebhookRow } from '../db/webhook-tables.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { change, changed } from '../http/resource.ts';
import { webhooks } from './queries.ts';
import { newWebhookSecret, noStore, OVERLAP } from './secret.ts';
import { toWebhookWithSecret, withHealthEtag } from './webhook.ts';

export async function rotateWebhookSecret(
  input: Input<'rotateWebhookSecret'>,
  context: OperationContext,
): Promise<Result<'rotateWebhookSecret'>> {
  const secret = newWebhookSecret();
  const rotate = (before: WebhookRow) => {
    const rotated = {
      encrypted_secret: encrypt(context.secretKey, secret),
      encrypted_previous_secret: before.encrypted_secret,
      previous_secret_expires_at: new Date(Date.now() + OVERLAP),
    };
    return change(context.db, webhooks, before, rotated, context.principal);
  };
  const toData = (row: WebhookRow) => toWebhookWithSecret(row, secret);
  return noStore(withHealthEtag(await changed(webhooks, toData, rotate, input, context)));
}
