import type { components } from '../../generated/api.ts';
import { type BaseRow, baseColumns } from './tables.ts';

type Schemas = components['schemas'];
export type WebhookStatus = Schemas['WebhookStatus'];

export interface WebhookRow extends BaseRow {
  url: string;
  description: string | null;
  event_types: string[];
  status: WebhookStatus;
  disabled_reason: string | null;
  encrypted_secret: Buffer;
  /** Also signs deliveries until it expires. */
  encrypted_previous_secret: Buffer | null;
  previous_secret_expires_at: string | null;
  last_success_at: string | null;
  failing_since: string | null;
}

export const webhookColumns = [
  ...baseColumns,
  'url',
  'description',
  'event_types',
  'status',
  'disabled_reason',
  'encrypted_secret',
  'encrypted_previous_secret',
  'previous_secret_expires_at',
  'last_success_at',
  'failing_since',
] as const satisfies readonly (keyof WebhookRow)[];

export interface WebhookDeliveryRow {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  resource_id: string;
  status: Schemas['WebhookDeliveryStatus'];
  attempt_count: number;
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
}

export const webhookDeliveryColumns = [
  'id',
  'webhook_id',
  'event_id',
  'event_type',
  'resource_id',
  'status',
  'attempt_count',
  'next_attempt_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof WebhookDeliveryRow)[];

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
