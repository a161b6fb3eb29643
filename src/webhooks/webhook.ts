import { toId } from '../db/id.ts';
import { etag } from '../http/conditional.ts';
import type { Schema } from '../http/operation.ts';
import { history } from '../resource/fields.ts';
import type { WebhookRow } from './tables.ts';

export function toWebhook(row: WebhookRow): Schema<'Webhook'> {
  return {
    id: toId('webhook', row.id),
    url: row.url,
    description: row.description,
    event_types: row.event_types as Schema<'EventTypes'>,
    status: row.status,
    retry_schedule: row.retry_schedule,
    disabled_reason: row.disabled_reason,
    last_success_at: row.last_success_at,
    failing_since: row.failing_since,
    ...history(row),
  };
}

/**
 * The response with an ETag that also covers delivery health. Health does not increment the version, so that deliveries
 * don't fail a client's If-Match when it updates the webhook.
 */
export function withHealthEtag<R extends { headers: { ETag: string }; body: { data: Schema<'Webhook'> } }>(
  response: R,
): R {
  const { version, last_success_at, failing_since } = response.body.data;
  const health = [last_success_at, failing_since].map((at) =>
    at === null ? '' : Date.parse(at).toString(36),
  );
  const ETag = etag(version, health.join('.').replace(/^\.$/, ''));
  return { ...response, headers: { ...response.headers, ETag } };
}

/** For responses to creation and rotation, the only ones that show the secret. */
export function toWebhookWithSecret(row: WebhookRow, secret: string): Schema<'WebhookWithSecret'> {
  return { ...toWebhook(row), secret };
}
