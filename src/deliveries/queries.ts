import type { Db } from '../db/knex.ts';
import { run } from '../db/statement.ts';
import type { EventRow } from '../db/tables.ts';

/** A pending delivery and its target. */
export interface PendingDelivery {
  id: string;
  event_id: string;
  event_type: string;
  /** The event's resource (UUID). */
  resource_id: string;
  /** Attempts made so far. */
  attempt_count: number;
  webhook_id: string;
  url: string;
  webhook_status: 'enabled' | 'paused' | 'disabled';
  encrypted_secret: Buffer;
  /** The previous secret, while it also signs. */
  encrypted_previous_secret: Buffer | null;
  failing_since: Date | null;
}

export async function findPending(db: Db, ids: readonly string[]): Promise<PendingDelivery[]> {
  return run(db, {
    name: 'find_pending_deliveries',
    sql: `select d.id, d.event_id, d.event_type, d.resource_id, d.attempt_count, d.webhook_id, w.url,
        w.status as webhook_status, w.encrypted_secret, w.failing_since,
        case when w.previous_secret_expires_at > now() then w.encrypted_previous_secret end as encrypted_previous_secret
      from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.id = any(?::uuid[]) and d.status = 'pending'`,
    bindings: [ids],
  });
}

export async function findEvents(db: Db, ids: readonly string[]): Promise<EventRow[]> {
  return run(db, {
    name: 'find_delivered_events',
    sql: 'select * from events where id = any(?::uuid[])',
    bindings: [ids],
  });
}

/** Result of an attempt. */
export interface Outcome {
  delivery_id: string;
  attempted_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
  status: 'pending' | 'succeeded' | 'failed';
  next_attempt_at: Date | null;
}

interface Recorded {
  id: string;
  webhook_id: string;
  status: Outcome['status'];
  next_attempt_at: Date | null;
}

/**
 * Logs the attempts and updates their deliveries, unless these are finished or deleted. A success updates the webhook if
 * it was failing, otherwise at most every 10 seconds: every change of a resource reads the webhook's row, which must not
 * be rewritten hundreds of times a second.
 */
export async function recordOutcomes(db: Db, outcomes: readonly Outcome[]): Promise<Recorded[]> {
  return run(db, {
    name: 'record_outcomes',
    sql: `with outcome as materialized (
        select * from json_to_recordset(?::json) as o (
          delivery_id uuid, attempted_at timestamptz, duration_ms integer, status_code integer, error text,
          response_body text, status text, next_attempt_at timestamptz
        )
      ), delivery as (
        update webhook_deliveries d
        set status = o.status, attempt_count = d.attempt_count + 1, next_attempt_at = o.next_attempt_at, updated_at = now()
        from outcome o where d.id = o.delivery_id and d.status = 'pending'
        returning d.id, d.webhook_id, d.status, d.attempt_count, d.next_attempt_at
      ), attempt as (
        insert into webhook_attempts
          (delivery_id, number, attempted_at, duration_ms, status_code, error, response_body)
        select d.id, d.attempt_count, o.attempted_at, o.duration_ms, o.status_code, o.error, o.response_body
        from delivery d join outcome o on o.delivery_id = d.id
      ), result as (
        select webhook_id, bool_or(status = 'succeeded') as success from delivery group by webhook_id
      ), webhook as (
        update webhooks w
        set last_success_at = case when result.success then now() else last_success_at end,
          failing_since = case when result.success then null else now() end
        from result where w.id = result.webhook_id and w.status = 'enabled' and case when result.success
          then w.failing_since is not null or coalesce(w.last_success_at, '-infinity') < now() - interval '10 seconds'
          else w.failing_since is null
        end
      )
      select id, webhook_id, status, next_attempt_at from delivery`,
    bindings: [JSON.stringify(outcomes)],
  });
}

interface DisabledWebhook {
  id: string;
  description: string | null;
  disabled_reason: string;
  failing_since: Date | null;
  last_success_at: Date | null;
}

/** Disables an enabled webhook. Returns undefined if it is paused or disabled already. */
export async function disable(db: Db, id: string, reason: string): Promise<DisabledWebhook | undefined> {
  const [row] = await run<DisabledWebhook>(db, {
    sql: `update webhooks set status = 'disabled', disabled_reason = ?, version = version + 1, updated_at = now()
      where id = ? and status = 'enabled'
      returning id, description, disabled_reason, failing_since, last_success_at`,
    bindings: [reason, id],
  });
  return row;
}

/** Latest failed deliveries to scan for distinct events; an event may have failed in several deliveries. */
const MAX_FAILURES = 1_000;

/** Whether the webhook has had no success for 72 hours, with attempts for at least ten events. */
export async function hasFailedForLong(db: Db, id: string): Promise<boolean> {
  const found = await run(db, {
    name: 'has_failed_for_long',
    sql: `select from webhooks w
      where id = ? and status = 'enabled' and failing_since < now() - interval '72 hours' and 10 <= (
        select count(distinct event_id) from (
          select event_id from webhook_deliveries d
          where d.webhook_id = w.id and d.status <> 'succeeded' and d.attempt_count > 0
            and d.updated_at >= w.failing_since
          order by d.updated_at desc limit ${MAX_FAILURES}
        ) latest
      )`,
    bindings: [id],
  });
  return found.length > 0;
}

/**
 * Returns which of these leads and contacts (UUIDs) exist, and prevents their deletion until the transaction ends. One that
 * is being deleted counts as deleted, so that this does not wait for the deletion.
 */
export async function lockPeople(trx: Db, ids: readonly string[]): Promise<Set<string>> {
  const existing = new Set<string>();
  for (const table of ['leads', 'contacts'] as const) {
    const rows = await run<{ id: string }>(trx, {
      name: `lock_${table}`,
      sql: `select id from ${table} where id = any(?::uuid[]) for key share skip locked`,
      bindings: [ids],
    });
    for (const { id } of rows) existing.add(id);
  }
  return existing;
}
