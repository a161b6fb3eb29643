import type { Schema } from '../operation.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from './tables.ts';

export function toDelivery(row: WebhookDeliveryRow): Schema<'WebhookDelivery'> {
  return {
    id: toId('delivery', row.id),
    webhook_id: toId('webhook', row.webhook_id),
    event_id: toId('event', row.event_id),
    event_type: row.event_type as Schema<'EventType'>,
    status: row.status,
    attempt_count: row.attempt_count,
    next_attempt_at: row.next_attempt_at,
    replay_id: toNullableId('replay', row.replay_id),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function toAttempt(row: WebhookAttemptRow): Schema<'WebhookAttempt'> {
  return {
    number: row.number,
    attempted_at: row.attempted_at,
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    error: row.error,
    response_body: row.response_body,
  };
}

/** 202 Accepted, with the pending delivery and its Location. */
export function accepted(row: WebhookDeliveryRow, baseUrl: string) {
  const data = toDelivery(row);
  const Location = `${baseUrl}/webhooks/${data.webhook_id}/deliveries/${data.id}`;
  return { status: 202 as const, headers: { Location }, body: { data } };
}
