import { toId } from '../db/id.ts';
import type { WebhookRow } from '../db/webhook-tables.ts';
import { etag } from '../http/conditional.ts';
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

/**
 * The answer with an ETag that follows how deliveries fare too. That is told without a new version, since who changes a
 * webhook, by If-Match, is not to be held up by every delivery.
 */
export function tagged<Answer extends { headers: { ETag: string }; body: { data: Schema<'Webhook'> } }>(
  answer: Answer,
): Answer {
  const { version, last_success_at, failing_since } = answer.body.data;
  const health = [last_success_at, failing_since].map((at) =>
    at === null ? '' : Date.parse(at).toString(36),
  );
  const ETag = etag(version, health.join('.').replace(/^\.$/, ''));
  return { ...answer, headers: { ...answer.headers, ETag } };
}

/** For the answers that show a new secret, this once. */
export function toWebhookWithSecret(row: WebhookRow, secret: string): Schema<'WebhookWithSecret'> {
  return { ...toWebhook(row), secret };
}
