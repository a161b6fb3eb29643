import { logAct } from '../audit-log/log-act.ts';
import { lockCount } from '../db/lock-count.ts';
import { created, noStore } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { distinct } from '../resource/fields.ts';
import { insertOrThrow } from '../resource/rows.ts';
import { newUuid, toId } from '../values/id.ts';
import { encrypt } from '../values/secrets.ts';
import { checkFields } from './check-fields.ts';
import { criteriaColumns } from './criteria.ts';
import { headerColumns } from './headers.ts';
import { webhooks } from './queries.ts';
import { newWebhookSecret } from './secret.ts';
import { toWebhookWithSecret } from './webhook.ts';

const MAX_WEBHOOKS = 20;

export async function createWebhook(
  { body }: Input<'createWebhook'>,
  context: OperationContext,
): Promise<Result<'createWebhook'>> {
  const { db, baseUrl, secretKey } = context;
  checkFields(body, context);
  if ((await lockCount(db, 'webhooks')) >= MAX_WEBHOOKS) throw limitReached();
  const secret = newWebhookSecret();
  const row = await insertOrThrow(context, webhooks, {
    id: newUuid(),
    client_id: context.principal.clientId,
    url: body.url,
    description: body.description ?? null,
    event_types: distinct(body.event_types),
    ...(await criteriaColumns(db, body)),
    ...headerColumns(body.headers, secretKey),
    status: body.status,
    retry_schedule: body.retry_schedule,
    encrypted_secret: encrypt(secretKey, secret),
  });
  logAct(context, 'webhook.created', { webhook_id: toId('webhook', row.id) });
  return noStore(created(`${baseUrl}/webhooks`, toWebhookWithSecret(row, secret)));
}

function limitReached() {
  const message = `You already have ${MAX_WEBHOOKS} webhooks, the maximum. Delete one first.`;
  return invalidField('webhooks', message, 'webhook_limit_reached');
}
