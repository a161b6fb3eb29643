import { changeTime } from '../db/change-horizon.ts';
import { type Db, first } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { storableJson } from '../values/text.ts';
import {
  type WebhookAttemptRow,
  type WebhookDeliveryRow,
  type WebhookRow,
  type WebhookStatus,
  webhookColumns,
} from '../webhooks/tables.ts';
import { nowOr } from './queries.ts';

/** Result of an attempt, and the next state of its delivery. `attempt_count` is the delivery's before the attempt. */
export type AttemptOutcome = Omit<WebhookAttemptRow, 'number'> &
  Pick<WebhookDeliveryRow, 'status' | 'attempt_count'> & {
    /** When the event happened. Null if it is no longer kept. */
    occurred_at: string | null;
    /** Milliseconds until the next attempt, if there is one. Not a time: the clock of the worker may be wrong. */
    next_attempt_in: number | null;
  };

/** A replay knows for 30 days what was delivered. Older losses would make it repeat deliveries. */
const keptSince = (time: string) => `case when ${time} > clock.now - interval '30 days' then ${time} end`;

/**
 * Logs the attempts and updates their deliveries, unless these are finished or deleted. Ends their leases. Returns the
 * deliveries (UUIDs) that it updated.
 *
 * A failure counts only if no other attempt was recorded since its delivery was taken, so that writing it again is
 * harmless: the first write may have committed although its answer was lost. A success counts even then, and finishes
 * the delivery.
 *
 * A success updates the webhook if something failed, otherwise at most every 10 seconds: every change of a resource
 * reads the webhook's row, which must not be rewritten hundreds of times a second.
 *
 * `failing_since` and `last_failing_since` are the `occurred_at` of the oldest undelivered event: either one that failed
 * since the last success, or one that only a replay can deliver. Both come from the event log's clock. A test event says
 * nothing about a paused webhook.
 *
 * The conditions let PostgreSQL use only the primary key. A plan made while the table is small would otherwise read all
 * of it, or, with a condition on the status, all pending rows of an index. A finished delivery has no next attempt.
 */
const record = prepare<{ outcomes: string; now: Date | undefined }, { id: string }>('record_outcomes', ($) =>
  knex.raw(
    `with clock as materialized (
        select ? as now
      ), outcome as materialized (
        select * from json_to_recordset(?::json) as o (
          delivery_id uuid, attempt_count integer, attempted_at timestamptz, duration_ms integer, status_code integer,
          error text, response_body text, status text, next_attempt_in bigint, occurred_at timestamptz
        )
      ), delivery as (
        update webhook_deliveries d
        set status = o.status, attempt_count = d.attempt_count + 1,
          next_attempt_at = clock.now + o.next_attempt_in * interval '1 millisecond', leased_until = null, updated_at = clock.now
        from outcome o, clock
        where d.id = any (array (select delivery_id from outcome)) and d.id = o.delivery_id and d.next_attempt_at is not null
          and (d.attempt_count = o.attempt_count or o.status = 'succeeded')
        returning d.id, d.webhook_id, d.event_type, d.status, d.attempt_count, o.occurred_at
      ), attempt as (
        insert into webhook_attempts
          (delivery_id, number, attempted_at, duration_ms, status_code, error, response_body)
        select d.id, d.attempt_count, o.attempted_at, o.duration_ms, o.status_code, o.error, o.response_body
        from delivery d join outcome o on o.delivery_id = d.id
      ), result as (
        select w.id as webhook_id, bool_or(d.status = 'succeeded') as success,
          min(occurred_at) filter (where d.status <> 'succeeded') as failed,
          min(occurred_at) filter (where d.status = 'failed') as lost
        from delivery d join webhooks w on w.id = d.webhook_id
        where w.status <> 'paused' or event_type <> 'webhook.test'
        group by w.id
      ), webhook as (
        update webhooks w
        set last_success_at = case when success then clock.now else last_success_at end,
          first_failed_at = case when success then null when failing_since is null then clock.now else first_failed_at end,
          last_failing_since = case when success and least(failing_since, undelivered_since, failed) is not null
            then least(failing_since, undelivered_since, failed, ${keptSince('w.lost_since')})
            else last_failing_since end,
          failing_since = case when not success
            then least(failing_since, undelivered_since, failed, ${keptSince('w.lost_since')}) end,
          undelivered_since = case when not success then least(undelivered_since, failed) end,
          lost_since = least(lost_since, lost)
        from result, clock where w.id = result.webhook_id and case when success
          then failed is not null or least(failing_since, undelivered_since) is not null
            or coalesce(last_success_at, '-infinity') < clock.now - interval '10 seconds'
          else failed is not null and (failing_since is null or failed < coalesce(undelivered_since, 'infinity')
            or lost < coalesce(lost_since, 'infinity'))
        end
      )
      select id from delivery`,
    [nowOr($('now')), $('outcomes')],
  ),
);

export async function recordOutcomes(
  db: Db,
  outcomes: readonly AttemptOutcome[],
  now?: Date,
): Promise<ReadonlySet<string>> {
  const recorded = await db.run(record({ outcomes: storableJson(outcomes), now }));
  return new Set(recorded.map(({ id }) => id));
}

/** Disables a webhook with one of these statuses. Returns undefined if it has another. */
export async function disable(
  db: Db,
  id: string,
  reason: string,
  statuses: readonly WebhookStatus[],
): Promise<WebhookRow | undefined> {
  return first<WebhookRow>(
    db,
    knex('webhooks')
      .where({ id })
      .whereIn('status', statuses)
      .update({
        status: 'disabled',
        disabled_reason: reason,
        failing_since: knex.raw('coalesce(failing_since, now())'),
        // From now on, events have no deliveries.
        lost_since: knex.raw('least(lost_since, failing_since, now())'),
        version: knex.raw('version + 1'),
        updated_at: changeTime,
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
      .where('updated_at', '>=', knex.ref('webhooks.first_failed_at'))
      .orderBy('updated_at', 'desc')
      .select('event_id');
    return knex('webhooks')
      .where({ id: $('id'), status: 'enabled' })
      .whereNotNull('failing_since')
      .where('first_failed_at', '<=', knex.raw(`? - interval '72 hours'`, [nowOr($('now'))]))
      .whereRaw(`10 <= (select count(distinct event_id) from (? limit ${MAX_FAILURES}) latest)`, [latest])
      .select('id');
  },
);

/** Whether the webhook has had no success for 72 hours, with attempts for at least ten events. */
export async function hasFailedForLong(db: Db, id: string, now?: Date): Promise<boolean> {
  const found = await db.run(failedForLong({ id, now }));
  return found.length > 0;
}
