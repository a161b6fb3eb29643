import type { components } from '../../generated/api.ts';
import { base, column, columnsOf } from '../db/tables.ts';
import type { FailureColumns } from '../jobs/failure.ts';
import type { GrantColumns } from '../jobs/tables.ts';

type Schemas = components['schemas'];
export type WebhookStatus = Schemas['WebhookStatus'];

const webhook = {
  ...base,
  /** The API client that created it (UUID). */
  client_id: column<string | null>(),
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
  /** Like failing_since, but only a success clears it. */
  undelivered_since: column<string | null>(),
  /** The earliest event that only a replay delivers. */
  lost_since: column<string | null>(),
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
  replay_id: column<string | null>(),
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

const replay = {
  id: column<string>(),
  webhook_id: column<string>(),
  status: column<Schemas['WebhookReplayStatus']>(),
  occurred_from: column<string>(),
  occurred_to: column<string>(),
  event_types: column<string[]>(),
  only_failed: column<boolean>(),
  only_undelivered: column<boolean>(),
  events_read: column<number>(),
  deliveries_created: column<number>(),
  deliveries_hurried: column<number>(),
  actor_type: column<GrantColumns['actor_type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  key_id: column<string | null>(),
  failure_code: column<FailureColumns['failure_code']>(),
  failure_reason: column<string | null>(),
  created_at: column<string>(),
  started_at: column<string | null>(),
  finished_at: column<string | null>(),
};

export type WebhookReplayRow = typeof replay;
export const webhookReplayColumns = columnsOf(replay);

/** Where a replay continues. */
export interface ReplayPosition {
  /** The last event read (UUID). */
  after_event_id: string;
  /** The last position drawn from the sequence when the replay was requested. */
  last_position: string;
  /** The webhook's lost_since, if the replay sends all that was lost. */
  covers_since: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    webhooks: WebhookRow;
    webhook_deliveries: WebhookDeliveryRow & { leased_until: string | null };
    webhook_attempts: WebhookAttemptRow;
    webhook_replays: WebhookReplayRow & ReplayPosition;
  }
}
