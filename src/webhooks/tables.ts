import type { components } from '../../generated/api.ts';
import { base, column, columnsOf } from '../db/tables.ts';

type Schemas = components['schemas'];
export type WebhookStatus = Schemas['WebhookStatus'];

const webhook = {
  ...base,
  url: column<string>(),
  description: column<string | null>(),
  event_types: column<string[]>(),
  status: column<WebhookStatus>(),
  retry_schedule: column<Schemas['RetrySchedule']>(),
  disabled_reason: column<string | null>(),
  encrypted_secret: column<Buffer>(),
  /** Also signs deliveries until it expires. */
  encrypted_previous_secret: column<Buffer | null>(),
  previous_secret_expires_at: column<string | null>(),
  last_success_at: column<string | null>(),
  failing_since: column<string | null>(),
  last_failing_since: column<string | null>(),
  /** When the first attempt since the last success failed. */
  first_failed_at: column<string | null>(),
};

export type WebhookRow = typeof webhook;
export const webhookColumns = columnsOf(webhook);

const delivery = {
  id: column<string>(),
  webhook_id: column<string>(),
  event_id: column<string>(),
  event_type: column<string>(),
  resource_id: column<string>(),
  status: column<Schemas['WebhookDeliveryStatus']>(),
  attempt_count: column<number>(),
  next_attempt_at: column<string | null>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};

export type WebhookDeliveryRow = typeof delivery;
export const webhookDeliveryColumns = columnsOf(delivery);

export interface WebhookAttemptRow {
  delivery_id: string;
  number: number;
  attempted_at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
}

export interface WebhookReplayRow {
  webhook_id: string;
  occurred_from: string;
  occurred_to: string;
  event_types: string[];
  only_failed: boolean;
  only_undelivered: boolean;
  /** The last event read (UUID). */
  after_event_id: string;
  /** The last position drawn from the sequence when the replay was requested. */
  last_position: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    webhooks: WebhookRow;
    webhook_deliveries: WebhookDeliveryRow & { leased_until: string | null };
    webhook_attempts: WebhookAttemptRow;
    webhook_replays: WebhookReplayRow;
  }
}
