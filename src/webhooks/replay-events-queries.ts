import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { REPLAY_MARGIN } from './replay-queries.ts';
import type { ReplayRow } from './tables.ts';

/** What one batch has done. */
interface BatchResult {
  /** The last event read (UUID), or null if the replay has read all of them. */
  last: string | null;
  read: number;
  created: number;
  hurried: number;
}

type Position = Pick<ReplayRow, 'id' | 'webhook_id'> &
  ReplayRow['options'] &
  Pick<ReplayRow['state'], 'after_event_id'>;

const dueOf = prepare<{ webhookId: string; limit: number }, { count: number }>(
  'count_due_webhook_deliveries',
  ($) => {
    const due = knex('webhook_deliveries')
      .where({ webhook_id: $('webhookId') })
      .whereRaw(`status = 'pending' and least(attempt_count, 1) in (0, 1)`)
      .where('next_attempt_at', '<=', knex.fn.now())
      .select('id');
    return knex.raw('select count(*)::int as count from (? limit ?) due', [due, $('limit')]);
  },
);

/** Counts the deliveries of this webhook that are due or in progress, up to `limit`. */
export async function countDue(db: Db, webhookId: string, limit: number): Promise<number> {
  const [row] = await db.run(dueOf({ webhookId, limit }));
  return row?.count ?? 0;
}

/**
 * Each event with the state of its deliveries to this webhook, or null if it has none. A delivery that waits for a retry is
 * made due now, instead of inserting a second one.
 */
const insertNext = prepare<Position & { limit: number }, BatchResult>('insert_replayed_deliveries', ($) =>
  knex.raw(
    `with wanted as (
          select ?::uuid as replay_id, ?::uuid as webhook_id, ?::timestamptz as occurred_from,
            ?::timestamptz as occurred_to, ?::text[] as event_types, ?::boolean as only_failed,
            ?::boolean as only_undelivered
        ), looked_at as materialized (
          select id, type, resource_id, occurred_at, actor_type, actor_id, object, changes from events
          where id > ? and id < uuid_bound(?::timestamptz + ${REPLAY_MARGIN})
          order by id limit ?
        ), selected as materialized (
          select wanted.webhook_id, event.id, type, event.resource_id, only_failed, only_undelivered, known.*
          from looked_at event cross join wanted join webhooks on webhooks.id = wanted.webhook_id cross join lateral (
            select array_agg(made.id) filter (where status = 'pending') as pending,
              bool_or(status = 'succeeded') as has_succeeded, bool_or(status = 'failed') as has_failed
            from webhook_deliveries made
            where made.resource_id = event.resource_id and made.event_id = event.id
              and made.webhook_id = wanted.webhook_id
          ) known
          where occurred_at between occurred_from and occurred_to
            and wanted.event_types && array['*', type, split_part(type, '.', 1) || '.*']
            and unmet_criterion(webhooks, type, event.resource_id, actor_type, actor_id,
              case when changed is not null then changed_fields(changes) end,
              case when filter_path is not null then lead_states(object, changes) end) is null
        ), waiting as materialized (
          -- One that is being sent keeps its time, but counts: it may fail.
          select id, (leased_until > now()) is not true and next_attempt_at > now() as is_hurried from webhook_deliveries
          where id = any (array (select unnest(pending) from selected)) and next_attempt_at is not null
          order by id for update
        ), found as (
          update webhook_deliveries made
          set replay_id = wanted.replay_id,
            earlier_replay_ids = case when made.replay_id is null then made.earlier_replay_ids
              else array_append(made.earlier_replay_ids, made.replay_id) end,
            next_attempt_at = case when is_hurried then now() else made.next_attempt_at end
          from waiting, wanted where made.id = waiting.id
          returning is_hurried
        ), made as (
          insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id, replay_id)
          select selected.webhook_id, id, type, resource_id, replay_id from selected, wanted
          where pending is null
            and (not selected.only_undelivered or has_succeeded is not true)
            and (not selected.only_failed or has_failed and not has_succeeded)
          order by id
          returning id
        )
        select (select id from looked_at order by id offset ?::int - 1) as last,
          (select count(*)::int from looked_at, wanted where occurred_at between occurred_from and occurred_to) as read,
          (select count(*)::int from made) as created,
          (select count(*)::int from found where is_hurried) as hurried`,
    [
      ...[$('id'), $('webhook_id'), $('occurred_from'), $('occurred_to'), $('event_types')],
      ...[$('only_failed'), $('only_undelivered')],
      ...[$('after_event_id'), $('occurred_to'), $('limit'), $('limit')],
    ],
  ),
);

/** Reads the next events, at most `limit`, and inserts a delivery for each one that the replay selects. */
export async function insertReplayDeliveries(
  trx: Db,
  { id, webhook_id, options, state: { after_event_id } }: ReplayRow,
  limit: number,
): Promise<BatchResult> {
  const [result] = await trx.run(insertNext({ id, webhook_id, ...options, after_event_id, limit }));
  if (result === undefined) throw new Error('A replay returned no row.');
  return result;
}
