import type { components } from '../../generated/api.ts';
import { base, column, columnsOf, personal } from '../db/tables.ts';
import type { JobRow } from '../jobs/tables.ts';

type Schemas = components['schemas'];
export type WebhookStatus = Schemas['WebhookStatus'];

export const webhook = {
  ...base,
  /** The API client that created it (UUID). */
  client_id: column<string | null>(),
  url: column<string>(),
  description: column<string | null>(),
  event_types: column<string[]>(),
  filter: personal<Schemas['LeadEventFilter'] | null>({
    address: 'erase_address(filter, whole)',
  }),
  /** The same as a path into lead_states(). */
  filter_path: personal<string | null>({ address: 'erase_address(filter_path::text, whole)::jsonpath' }),
  changed: column<Schemas['ChangedField'][] | null>(),
  exclude_own: column<boolean>(),
  /** Each as the type of the actor, a space and its UUID. */
  exclude_actors: column<string[]>(),
  header_names: column<string[]>(),
  encrypted_headers: column<Buffer | null>(),
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

export const delivery = {
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

export const attempt = {
  delivery_id: column<string>(),
  number: column<number>(),
  attempted_at: column<string>(),
  duration_ms: column<number>(),
  status_code: column<number | null>(),
  error: column<string | null>(),
  /** Receivers may repeat what they got. */
  response_body: personal<string | null>({ person: 'null', address: 'null' }),
};

export type WebhookAttemptRow = typeof attempt;

export type ReplayRow = JobRow & {
  webhook_id: string;
  status: Schemas['JobStatus'];
  options: {
    occurred_from: string;
    occurred_to: string;
    event_types: string[];
    only_failed: boolean;
    only_undelivered: boolean;
  };
  state: {
    /** The last event read (UUID). */
    after_event_id: string;
    /** The last position drawn from the sequence when the replay was requested. */
    last_position: string;
    /** The webhook's lost_since, if the replay sends all that was lost. */
    covers_since: string | null;
  };
  counts: Schemas['WebhookReplay']['progress'];
};

declare module 'knex/types/tables.js' {
  interface Tables {
    webhooks: WebhookRow;
    webhook_deliveries: WebhookDeliveryRow & { leased_until: string | null };
    webhook_attempts: WebhookAttemptRow;
  }
}
