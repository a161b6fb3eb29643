import type { Values } from '../db/resource.ts';
import type { WebhookRow } from '../db/webhook-tables.ts';
import { distinct } from '../http/fields.ts';
import type { Input, OperationContext, Result, Schema } from '../http/operation.ts';
import { change, changed } from '../http/resource.ts';
import { checkFields } from './check-fields.ts';
import { webhooks } from './queries.ts';
import { toWebhook, withHealthEtag } from './webhook.ts';

export async function updateWebhook(
  input: Input<'updateWebhook'>,
  context: OperationContext,
): Promise<Result<'updateWebhook'>> {
  return withHealthEtag(await changed(webhooks, toWebhook, changeWebhook, input, context));
}

async function changeWebhook(
  before: WebhookRow,
  patch: Schema<'UpdateWebhook'>,
  context: OperationContext,
): Promise<WebhookRow> {
  checkFields(patch, context);
  const changes = {
    ...patch,
    event_types: distinct(patch.event_types),
    ...(resetsFailures(before, patch) && { failing_since: null }),
    ...(patch.status !== undefined && { disabled_reason: null }),
  } satisfies Values<WebhookRow>;
  return change(context.db, webhooks, before, changes, context.principal);
}

/** Past failures don't count for a new URL, or for a webhook that was enabled again. */
function resetsFailures({ status, url }: WebhookRow, patch: Schema<'UpdateWebhook'>): boolean {
  const isEnabled = patch.status === 'enabled' && status !== 'enabled';
  return isEnabled || (patch.url !== undefined && patch.url !== url);
}
