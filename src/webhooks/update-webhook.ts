import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { distinct } from '../resource/fields.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { checkFields } from './check-fields.ts';
import { criteriaColumns } from './criteria.ts';
import { headerColumns } from './headers.ts';
import { webhooks } from './queries.ts';
import type { WebhookRow } from './tables.ts';
import { toWebhook } from './webhook.ts';

export async function updateWebhook(
  input: Input<'updateWebhook'>,
  context: OperationContext,
): Promise<Result<'updateWebhook'>> {
  const { body: patch } = input;
  const { filter, changed, exclude_own, exclude_actor_ids, headers, ...fields } = patch;
  const before = await lockOrThrow(context.db, webhooks, input);
  checkFields(patch, context);
  const after = await updateOrThrow(context, webhooks, before, {
    ...fields,
    event_types: distinct(patch.event_types),
    ...(await criteriaColumns(context.db, patch, before)),
    ...headerColumns(patch.headers, context.secretKey, before),
    ...(resetsFailures(before, patch) && {
      failing_since: null,
      first_failed_at: null,
      last_failing_since: before.failing_since ?? before.last_failing_since,
    }),
    ...(patch.status !== undefined && { disabled_reason: null }),
  });
  return ok(toWebhook(after));
}

/** Past failures don't count against a new URL, or against a webhook that was enabled again. */
function resetsFailures({ status, url }: WebhookRow, patch: Schema<'UpdateWebhook'>): boolean {
  const isEnabled = patch.status === 'enabled' && status !== 'enabled';
  return isEnabled || (patch.url !== undefined && patch.url !== url);
}
