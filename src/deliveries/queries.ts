import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { type EventRow, eventColumns } from '../events/tables.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../webhooks/tables.ts';

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
  Pick<
    WebhookRow,
    'url' | 'retry_schedule' | 'encrypted_secret' | 'encrypted_previous_secret' | 'encrypted_headers'
  >;

/** How many deliveries a worker can take. */
export interface SendingSlots {
  perWebhook: number;
  /** Instead of perWebhook, by webhook (UUID), where deliveries are running. */
  ofBusyWebhooks: ReadonlyMap<string, number>;
  total: number;
}

/** A delivery whose worker has not renewed its lease by then may be taken by another one. */
const LEASE = knex.raw(`interval '12 seconds'`);

/** PostgreSQL's time, which all workers share, unless a test gives another one. */
export const nowOr = (given: Knex.Raw) => knex.raw('coalesce(?::timestamptz, now())', [given]);

interface Demand {
  perWebhook: number;
  busy: string[];
  busySlots: number[];
  total: number;
  now: Date | undefined;
}

const lease = prepare<Demand, PendingDelivery>('take_due_deliveries', ($) =>
  knex.raw(
    `with clock as materialized (
        select ? as now
      ), due as materialized (
        select due.id
        from webhooks w cross join clock cross join (select ?::int as slots) free
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
        where w.status = 'enabled'
        limit ?
      ), test as materialized (
        select test.id from webhooks w cross join clock cross join lateral (
          select id from webhook_deliveries
          where webhook_id = w.id and status = 'pending' and event_type = 'webhook.test'
            and next_attempt_at <= clock.now and (leased_until > clock.now) is not true
          for update skip locked
        ) test
        where w.status = 'paused'
        limit ?
      ), taken as materialized (
        select id from due union all select id from test
      )
      update webhook_deliveries d set leased_until = clock.now + ?
      from clock, taken, webhooks w where d.id = taken.id and w.id = d.webhook_id
      returning d.id, d.event_id, d.event_type, d.resource_id, d.attempt_count, d.webhook_id, d.created_at, w.url,
        w.retry_schedule, w.encrypted_secret, w.encrypted_headers,
        case when w.previous_secret_expires_at > clock.now then w.encrypted_previous_secret end as encrypted_previous_secret`,
    [nowOr($('now')), $('perWebhook'), $('busy'), $('busySlots'), $('total'), $('total'), LEASE],
  ),
);

/**
 * Leases due deliveries of each enabled webhook, the oldest first, and first attempts before later ones. A paused webhook gets
 * only test events. The rows are the queue. Each webhook's part of it is a range of an index, so the backlog of one webhook
 * doesn't slow down another.
 */
export async function takeDue(
  db: Db,
  { perWebhook, ofBusyWebhooks, total }: SendingSlots,
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

export async function findPendingEvents(db: Db, ids: readonly string[]): Promise<EventRow[]> {
  return db.run(delivered({ ids: [...ids] }));
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
