import { type Db, first } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import type { WebhookReplayRow, WebhookRow } from './tables.ts';

/** Maximum difference between an event's `occurred_at` and the time in its id. The id is made later, and is not rounded. */
const MARGIN = `interval '1 minute'`;

type NewReplay = Omit<WebhookReplayRow, 'after_event_id' | 'last_position'>;

/**
 * Inserts a replay that ends now at the latest, by the clock that sets the times of events. Undefined if this webhook already
 * has a replay in progress.
 */
export async function insertReplay(db: Db, replay: NewReplay): Promise<NewReplay | undefined> {
  return first<NewReplay>(
    db,
    knex('webhook_replays')
      .insert({
        ...replay,
        occurred_to: knex.raw('least(?::timestamptz, clock_timestamp())', [replay.occurred_to]),
        after_event_id: knex.raw(`uuid_bound(?::timestamptz - ${MARGIN})`, [replay.occurred_from]),
        last_position: knex.raw('?', [knex('event_positions').select('last_value')]),
      })
      .onConflict()
      .ignore()
      .returning([
        'webhook_id',
        'occurred_from',
        'occurred_to',
        'event_types',
        'only_failed',
        'only_undelivered',
      ]),
  );
}

type ReplayRow = Omit<WebhookReplayRow, 'last_position'> & {
  webhook_status: WebhookRow['status'];
  /** Whether all transactions that were writing events when the replay was requested have ended. */
  is_complete: boolean;
};

/** The UUIDs of webhooks with a replay in progress. */
export async function findReplays(db: Db): Promise<string[]> {
  const rows = await db.run<{ webhook_id: string }>(knex('webhook_replays').select('webhook_id'));
  return rows.map(({ webhook_id: id }) => id);
}

const replayOf = prepare<{ webhookId: string }, ReplayRow>('lock_webhook_replay', ($) =>
  knex('webhook_replays')
    .join('webhooks', 'webhooks.id', 'webhook_id')
    .where({ webhook_id: $('webhookId') })
    .select(
      'webhook_id',
      'webhooks.status as webhook_status',
      'occurred_from',
      'occurred_to',
      'webhook_replays.event_types',
      'only_failed',
      'only_undelivered',
      'after_event_id',
      knex.raw('event_horizon() >= last_position as is_complete'),
    )
    .forUpdate('webhook_replays')
    .skipLocked(),
);

/**
 * The replay of this webhook, locked until the transaction ends. Undefined when there is none, or another worker has
 * locked it.
 */
export async function lockReplay(trx: Db, webhookId: string): Promise<ReplayRow | undefined> {
  return first(trx, replayOf({ webhookId }));
}

export async function deleteReplay(db: Db, webhookId: string): Promise<void> {
  await db.run(knex('webhook_replays').where({ webhook_id: webhookId }).delete());
}

export async function advanceReplay(db: Db, webhookId: string, lastEventId: string): Promise<void> {
  await db.run(
    knex('webhook_replays').where({ webhook_id: webhookId }).update({ after_event_id: lastEventId }),
  );
}

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
const insertNext = prepare<ReplayRow & { limit: number }, { last: string | null }>(
  'insert_replayed_deliveries',
  ($) =>
    knex.raw(
      `with wanted as (
          select ?::uuid as webhook_id, ?::timestamptz as occurred_from, ?::timestamptz as occurred_to,
            ?::text[] as event_types, ?::boolean as only_failed, ?::boolean as only_undelivered
        ), looked_at as materialized (
          select id, type, resource_id, occurred_at from events
          where id > ? and id < uuid_bound(?::timestamptz + ${MARGIN})
          order by id limit ?
        ), selected as materialized (
          select wanted.webhook_id, event.id, type, event.resource_id, only_failed, only_undelivered, known.*
          from looked_at event cross join wanted cross join lateral (
            select array_agg(made.id) filter (where status = 'pending') as pending,
              bool_or(status = 'succeeded') as has_succeeded, bool_or(status = 'failed') as has_failed
            from webhook_deliveries made
            where made.resource_id = event.resource_id and made.event_id = event.id
              and made.webhook_id = wanted.webhook_id
          ) known
          where occurred_at between occurred_from and occurred_to
            and event_types && array['*', type]
            -- webhook.test goes to one webhook only, webhook.disabled to all but the disabled one.
            and type <> 'webhook.test' and (type <> 'webhook.disabled' or event.resource_id <> wanted.webhook_id)
        ), hurried as (
          update webhook_deliveries set next_attempt_at = now()
          where id = any (array (select unnest(pending) from selected)) and next_attempt_at > now()
            and (leased_until > now()) is not true
        ), made as (
          insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
          select webhook_id, id, type, resource_id from selected
          where pending is null
            and (not only_undelivered or has_succeeded is not true)
            and (not only_failed or has_failed and not has_succeeded)
          order by id
        )
        select (select id from looked_at order by id offset ?::int - 1) as last`,
      [
        ...[$('webhook_id'), $('occurred_from'), $('occurred_to'), $('event_types'), $('only_failed')],
        ...[$('only_undelivered'), $('after_event_id'), $('occurred_to'), $('limit'), $('limit')],
      ],
    ),
);

/**
 * Reads the next events, at most `limit`, and inserts a delivery for each one that the replay selects. Returns the last
 * event read (UUID), or null when fewer than `limit` were left.
 */
export async function insertReplayDeliveries(
  trx: Db,
  replay: ReplayRow,
  limit: number,
): Promise<string | null> {
  const [row] = await trx.run(insertNext({ ...replay, limit }));
  if (row === undefined) throw new Error('A replay returned no row.');
  return row.last;
}
