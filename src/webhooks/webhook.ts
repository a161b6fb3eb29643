import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId, toNullableId } from '../values/id.ts';
import { toActorId } from './criteria.ts';
import type { WebhookRow } from './tables.ts';

export function toWebhook(row: WebhookRow): Schema<'Webhook'> {
  return {
    id: toId('webhook', row.id),
    client_id: toNullableId('client', row.client_id),
    url: row.url,
    description: row.description,
    event_types: row.event_types as Schema<'EventTypes'>,
    filter: row.filter,
    changed: row.changed,
    exclude_own: row.exclude_own,
    exclude_actor_ids: row.exclude_actors.map(toActorId),
    header_names: row.header_names,
    status: row.status,
    retry_schedule: row.retry_schedule,
    disabled_reason: row.disabled_reason,
    last_success_at: row.last_success_at,
    failing_since: row.failing_since,
    last_failing_since: row.last_failing_since,
    ...history(row),
  };
}

/** For responses to creation and rotation, the only ones that show the secret. */
export function toWebhookWithSecret(row: WebhookRow, secret: string): Schema<'WebhookWithSecret'> {
  return { ...toWebhook(row), secret };
}
