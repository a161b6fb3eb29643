import type { Db } from '../db/db.ts';
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
}

/** How many deliveries a worker can take. */
export interface Slots {
  perWebhook: number;
  /** Instead of perWebhook, by webhook (UUID), where deliveries are running. */
  ofBusyWebhooks: ReadonlyMap<string, number>;
  total: number;
}

/** A delivery whose worker has not renewed its lease by then may be taken by another one. */
const LEASE = `interval '12 seconds'`;

/** PostgreSQL's time, which all workers share, unless a test gives another one. */
const NOW = 'coalesce(?::timestamptz, now())';

/**
 * Leases due deliveries of each webhook, the oldest first, and first attempts before later ones. The rows are the queue:
 * each webhook's part of it is a range of an index, so that it costs nothing how many wait for another one.
 */
export async function takeDue(
  db: Db,
  { perWebhook, ofBusyWebhooks, total }: Slots,
  now?: Date,
): Promise<PendingDelivery[]> {
  return run(db, {
    name: 'take_due_deliveries',
    sql: `with due as materialized (
        select due.id, clock.now
        from webhooks w cross join (select ${NOW} as now) clock cross join (select ?::int as slots) free
        left join unnest(?::uuid[], ?::int[]) as busy (webhook_id, slots) on busy.webhook_id = w.id
        cross join lateral (
          select found.id from (values (0), (1)) as attempts (made) cross join lateral (
            select id from webhook_deliveries
            where webhook_id = w.id and status = 'pending' and least(attempt_count, 1) = attempts.made
              and next_attempt_at <= clock.now and (leased_until > clock.now) is not true
            order by next_attempt_at limit coalesce(busy.slots, free.slots) for update skip locked
          ) found
          limit coalesce(busy.slots, free.slots)
        ) due
        limit ?
      )
      update webhook_deliveries d set leased_until = due.now + ${LEASE}
      from due, webhooks w where d.id = due.id and w.id = d.webhook_id
      returning d.id, d.event_id, d.event_type, d.resource_id, d.attempt_count, d.webhook_id, w.url,
        w.status as webhook_status, w.encrypted_secret,
        case when w.previous_secret_expires_at > due.now then w.encrypted_previous_secret end as encrypted_previous_secret`,
    bindings: [now, perWebhook, [...ofBusyWebhooks.keys()], [...ofBusyWebhooks.values()], total],
  });
}

/** Skips rows that are locked: their attempts are being recorded, which ends the lease. */
export async function renewLeases(db: Db, ids: readonly string[], now?: Date): Promise<void> {
  if (ids.length === 0) return;
  await run(db, {
    name: 'renew_leases',
    sql: `update webhook_deliveries set leased_until = ${NOW} + ${LEASE}
      where id in (
        select id from webhook_deliveries where id = any(?::uuid[]) and leased_until is not null for update skip locked
      )`,
    bindings: [now, ids],
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

/**
 * Logs the attempts and updates their deliveries, unless these are finished or deleted. Ends their leases. A success updates
 * the webhook if it was failing, otherwise at most every 10 seconds: every change of a resource reads the webhook's row,
 * which must not be rewritten hundreds of times a second.
 *
 * The conditions leave PostgreSQL only the primary key: a plan made while the table is small would otherwise read all of it,
 * or with the status in it, an index of all that is pending. A finished delivery has no next attempt.
 */
export async function recordOutcomes(db: Db, outcomes: readonly Outcome[], now?: Date): Promise<void> {
  await run(db, {
    name: 'record_outcomes',
    sql: `with clock as materialized (
        select ${NOW} as now
      ), outcome as materialized (
        select * from json_to_recordset(?::json) as o (
          delivery_id uuid, attempted_at timestamptz, duration_ms integer, status_code integer, error text,
          response_body text, status text, next_attempt_at timestamptz
        )
      ), delivery as (
        update webhook_deliveries d
        set status = o.status, attempt_count = d.attempt_count + 1, next_attempt_at = o.next_attempt_at,
          leased_until = null, updated_at = clock.now
        from outcome o, clock
        where d.id = any (array (select delivery_id from outcome)) and d.id = o.delivery_id and d.next_attempt_at is not null
        returning d.id, d.webhook_id, d.status, d.attempt_count
      ), attempt as (
        insert into webhook_attempts
          (delivery_id, number, attempted_at, duration_ms, status_code, error, response_body)
        select d.id, d.attempt_count, o.attempted_at, o.duration_ms, o.status_code, o.error, o.response_body
        from delivery d join outcome o on o.delivery_id = d.id
      ), result as (
        select webhook_id, bool_or(status = 'succeeded') as success from delivery group by webhook_id
      )
      update webhooks w
      set last_success_at = case when result.success then clock.now else last_success_at end,
        failing_since = case when result.success then null else clock.now end
      from result, clock where w.id = result.webhook_id and w.status = 'enabled' and case when result.success
        then w.failing_since is not null or coalesce(w.last_success_at, '-infinity') < clock.now - interval '10 seconds'
        else w.failing_since is null
      end`,
    bindings: [now, JSON.stringify(outcomes)],
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
export async function hasFailedForLong(db: Db, id: string, now?: Date): Promise<boolean> {
  const found = await run(db, {
    name: 'has_failed_for_long',
    sql: `select from webhooks w
      where id = ? and status = 'enabled' and failing_since <= ${NOW} - interval '72 hours' and 10 <= (
        select count(distinct event_id) from (
          select event_id from webhook_deliveries d
          where d.webhook_id = w.id and d.status <> 'succeeded' and d.attempt_count > 0
            and d.updated_at >= w.failing_since
          order by d.updated_at desc limit ${MAX_FAILURES}
        ) latest
      )`,
    bindings: [id, now],
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
