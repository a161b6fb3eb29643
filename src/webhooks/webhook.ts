import { toId } from '../db/id.ts';
import type { WebhookRow } from '../db/webhook-tables.ts';
import { history } from '../http/fields.ts';
import type { Schema } from '../http/operation.ts';

export function toWebhook(row: WebhookRow): Schema<'Webhook'> {
  return {
    id: toId('webhook', row.id),
    url: row.url,
    description: row.description,
    event_types: row.event_types as Schema<'EventTypes'>,
    status: row.status,
    disabled_reason: row.disabled_reason,
    last_success_at: row.last_success_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    ...history(row),
  };
}

/** For the answers that show a new secret, this once. */
export function toWebhookWithSecret(row: WebhookRow, secret: string): Schema<'WebhookWithSecret'> {
  return { ...toWebhook(row), secret };
}
