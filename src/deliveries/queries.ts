import { type Db, first } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { type EventRow, eventColumns } from '../events/tables.ts';
import {
  type WebhookAttemptRow,
  type WebhookDeliveryRow,
  type WebhookRow,
  type WebhookStatus,
  webhookColumns,
} from '../webhooks/tables.ts';

type DeliveryFields =
  | 'id'
  | 'event_id'
  | 'event_type'
  | 'resource_id'
  | 'attempt_count'
  | 'webhook_id'
  | 'created_at';

/** A pending delivery and its target; `encrypted_previous_secret` is null once it no longer signs. */
export type PendingDelivery = Pick<WebhookDeliveryRow, DeliveryFields> &
  Pick<WebhookRow, 'url' | 'retry_schedule' | 'encrypted_secret' | 'encrypted_previous_secret'> & {
    webhook_status: WebhookStatus;
  };

/** How many deliveries a worker can take. */
export interface Slots {
  perWebhook: number;
  /** Instead of perWebhook, by webhook (UUID), where deliveries are running. */
  ofBusyWebhooks: ReadonlyMap<string, number>;
  total: number;
}

/** A delivery whose worker has not renewed its lease by then may be taken by another one. */
const LEASE = knex.raw(`interval '12 seconds'`);

/** PostgreSQL's time, which all workers share, unless a test gives another one. */
const nowOr = (given: Date | undefined) => knex.raw('coalesce(?::timestamptz, now())', [given as Date]);

interface Demand {
  perWebhook: number;
  busy: string[];
  busySlots: number[];
  total: number;
  now: Date | undefined;
}

const lease = prepare<Demand, PendingDelivery>('take_due_deliveries', ($) =>
  knex.raw(
    `with due as materialized (
        select due.id, clock.now
        from webhooks w cross join (select ? as now) clock cross join (select ?::int as slots) free
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
      update webhook_deliveries d set leased_until = due.now + ?
      from due, webhooks w where d.id = due.id and w.id = d.webhook_id
      returning d.id, d.event_id, d.event_type, d.resource_id, d.attempt_count, d.webhook_id, d.created_at, w.url,
        w.status as webhook_status, w.retry_schedule, w.encrypted_secret,
        case when w.previous_secret_expires_at > due.now then w.encrypted_previous_secret end as encrypted_previous_secret`,
    [nowOr($('now')), $('perWebhook'), $('busy'), $('busySlots'), $('total'), LEASE],
  ),
);

/**
 * Leases due deliveries of each webhook, the oldest first, and first attempts before later ones. The rows are the queue:
 * each webhook's part of it is a range of an index, so that it costs nothing how many wait for another one.
 */
export async function takeDue(
  db: Db,
  { perWebhook, ofBusyWebhooks, total }: Slots,
  now?: Date,
): Promise<PendingDelivery[]> {
  const [busy, busySlots] = [[...ofBusyWebhooks.keys()], [...ofBusyWebhooks.values()]];
  return db.run(lease({ perWebhook, busy, busySlots, total, now }));
}

/** Skips rows that are locked: their attempts are being recorded, which ends the lease. */
const renew = prepare<{ ids: string[]; now: Date | undefined }, never>('renew_leases', ($) => {
  const leased = knex('webhook_deliveries')
    .where('id', knex.raw('any(?::uuid[])', [$('ids')]))
    .whereNotNull('leased_until')
    .select('id')
    .forUpdate()
    .skipLocked();
  return knex('webhook_deliveries')
    .whereIn('id', leased)
    .update({ leased_until: knex.raw('? + ?', [nowOr($('now')), LEASE]) });
});

export async function renewLeases(db: Db, ids: readonly string[], now?: Date): Promise<void> {
  if (ids.length > 0) await db.run(renew({ ids: [...ids], now }));
}

const delivered = prepare<{ ids: string[] }, EventRow>('find_delivered_events', ($) =>
  knex('events')
    .where('id', knex.raw('any(?::uuid[])', [$('ids')]))
    .select(...eventColumns),
);

export async function findEvents(db: Db, ids: readonly string[]): Promise<EventRow[]> {
  return db.run(delivered({ ids: [...ids] }));
}

/** Result of an attempt, and what becomes of its delivery. */
export type Outcome = Omit<WebhookAttemptRow, 'number'> &
  Pick<WebhookDeliveryRow, 'status'> & {
    /** Milliseconds until the next attempt, if there is one. Not a time: the clock of the worker may be wrong. */
    next_attempt_in: number | null;
  };

/**
 * Logs the attempts and updates their deliveries, unless these are finished or deleted. Ends their leases. A success updates
 * the webhook if it was failing, otherwise at most every 10 seconds: every change of a resource reads the webhook's row,
 * which must not be rewritten hundreds of times a second.
 *
 * The conditions leave PostgreSQL only the primary key: a plan made while the table is small would otherwise read all of it,
 * or with the status in it, an index of all that is pending. A finished delivery has no next attempt.
 */
const record = prepare<{ outcomes: string; now: Date | undefined }, never>('record_outcomes', ($) =>
  knex.raw(
    `with clock as materialized (
        select ? as now
      ), outcome as materialized (
        select * from json_to_recordset(?::json) as o (
          delivery_id uuid, attempted_at timestamptz, duration_ms integer, status_code integer, error text,
          response_body text, status text, next_attempt_in bigint
        )
      ), delivery as (
        update webhook_deliveries d
        set status = o.status, attempt_count = d.attempt_count + 1,
          next_attempt_at = clock.now + o.next_attempt_in * interval '1 millisecond', leased_until = null, updated_at = clock.now
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
    [nowOr($('now')), $('outcomes')],
  ),
);

export async function recordOutcomes(db: Db, outcomes: readonly Outcome[], now?: Date): Promise<void> {
  await db.run(record({ outcomes: JSON.stringify(outcomes), now }));
}

/** Disables an enabled webhook. Returns undefined if it is paused or disabled already. */
export async function disable(db: Db, id: string, reason: string): Promise<WebhookRow | undefined> {
  return first<WebhookRow>(
    db,
    knex('webhooks')
      .where({ id, status: 'enabled' })
      .update({
        status: 'disabled',
        disabled_reason: reason,
        version: knex.raw('version + 1'),
        updated_at: knex.fn.now(),
      })
      .returning(webhookColumns),
  );
}

/** Latest failed deliveries to scan for distinct events; an event may have failed in several deliveries. */
const MAX_FAILURES = 1_000;

const failedForLong = prepare<{ id: string; now: Date | undefined }, { id: string }>(
  'has_failed_for_long',
  ($) => {
    const latest = knex('webhook_deliveries')
      .where('webhook_id', knex.ref('webhooks.id'))
      .whereRaw(`status <> 'succeeded' and attempt_count > 0`)
      .where('updated_at', '>=', knex.ref('webhooks.failing_since'))
      .orderBy('updated_at', 'desc')
      .select('event_id');
    return knex('webhooks')
      .where({ id: $('id'), status: 'enabled' })
      .where('failing_since', '<=', knex.raw(`? - interval '72 hours'`, [nowOr($('now'))]))
      .whereRaw(`10 <= (select count(distinct event_id) from (? limit ${MAX_FAILURES}) latest)`, [latest])
      .select('id');
  },
);

/** Whether the webhook has had no success for 72 hours, with attempts for at least ten events. */
export async function hasFailedForLong(db: Db, id: string, now?: Date): Promise<boolean> {
  const found = await db.run(failedForLong({ id, now }));
  return found.length > 0;
}

const lock = (table: 'leads' | 'contacts' | 'users') =>
  prepare<{ ids: string[] }, { id: string }>(`lock_${table}`, ($) =>
    knex(table)
      .where('id', knex.raw('any(?::uuid[])', [$('ids')]))
      .select('id')
      .forKeyShare()
      .skipLocked(),
  );
const locks = [lock('leads'), lock('contacts'), lock('users')];

/**
 * Returns which of these leads and contacts (UUIDs) exist, and prevents their deletion until the transaction ends. One that
 * is being deleted counts as deleted, so that this does not wait for the deletion.
 */
export async function lockPeople(trx: Db, ids: readonly string[]): Promise<Set<string>> {
  const existing = new Set<string>();
  for (const lockExisting of locks) {
    for (const { id } of await trx.run(lockExisting({ ids: [...ids] }))) existing.add(id);
  }
  return existing;
}
