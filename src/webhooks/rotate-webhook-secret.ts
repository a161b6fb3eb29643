import { logAct } from '../audit-log/log-act.ts';
import { noStore, ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { encrypt } from '../values/secrets.ts';
import { webhooks } from './queries.ts';
import { newWebhookSecret, OVERLAP } from './secret.ts';
import { toWebhookWithSecret } from './webhook.ts';

export async function rotateWebhookSecret(
  input: Input<'rotateWebhookSecret'>,
  context: OperationContext,
): Promise<Result<'rotateWebhookSecret'>> {
  const before = await lockOrThrow(context.db, webhooks, input);
  const secret = newWebhookSecret();
  const after = await updateOrThrow(context, webhooks, before, {
    encrypted_secret: encrypt(context.secretKey, secret),
    encrypted_previous_secret: before.encrypted_secret,
    previous_secret_expires_at: new Date(Date.now() + OVERLAP).toISOString(),
  });
  logAct(context, 'webhook.secret_rotated', { webhook_id: input.path.id });
  return noStore(ok(toWebhookWithSecret(after, secret)));
}
