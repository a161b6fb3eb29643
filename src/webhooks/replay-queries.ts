import { type Db, one } from '../db/db.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare } from '../db/query.ts';
import { jobsOf } from '../jobs/queries.ts';
import type { Input } from '../operation.ts';
import type { ReplayRow, WebhookStatus } from './tables.ts';

/** Maximum difference between an event's `occurred_at` and the time in its id. The id is made later, and is not rounded. */
export const REPLAY_MARGIN = `interval '1 minute'`;

export const replays = jobsOf<ReplayRow, 'replay'>('replay', ['replay']);

export const replayFilters: filters.FilterTable<Input<'listWebhookReplays'>['query']> = {
  status: filters.anyOf('status'),
  created_from: filters.from('created_at'),
  created_to: filters.to('created_at'),
};

type Bounds = { occurred_to: string } & Pick<ReplayRow['state'], 'after_event_id' | 'last_position'>;

const bounds = prepare<{ from: string; to: string }, Bounds>('bounds_of_replay', ($) =>
  knex.raw(
    `select least(?::timestamptz(3), clock_timestamp()::timestamptz(3)) as occurred_to,
       uuid_bound(?::timestamptz - ${REPLAY_MARGIN}) as after_event_id, last_value::text as last_position
     from event_positions`,
    [$('to'), $('from')],
  ),
);

/** Where a replay of this time begins and ends: now at the latest, by the clock that sets the times of events. */
export function findBounds(db: Db, from: string, to: string): Promise<Bounds> {
  return one(db, bounds({ from, to }));
}

/** The losses of a webhook (UUID) will be sent again by a replay. */
export async function forgetLosses(db: Db, webhookId: string): Promise<void> {
  await db.run(knex('webhooks').where({ id: webhookId }).update({ lost_since: null }));
}

/** Restores what a replay that ended early would have sent. */
export async function rememberLosses(db: Db, { webhook_id, state }: ReplayRow): Promise<void> {
  await db.run(
    knex('webhooks')
      .where({ id: webhook_id })
      .update({ lost_since: knex.raw('least(lost_since, ?::timestamptz)', [state.covers_since]) }),
  );
}

const readiness = prepare<{ id: string; position: string }, { status: WebhookStatus; is_complete: boolean }>(
  'readiness_of_replay',
  ($) =>
    knex('webhooks')
      .where({ id: $('id') })
      .select('status', knex.raw('event_horizon() >= ?::bigint as is_complete', [$('position')])),
);

/**
 * Whether a replay can go on: its webhook is enabled, and all transactions that were writing events when the replay was
 * requested have ended.
 */
export async function isReady(db: Db, { webhook_id, state }: ReplayRow): Promise<boolean> {
  const { status, is_complete } = await one(db, readiness({ id: webhook_id, position: state.last_position }));
  return status === 'enabled' && is_complete;
}

type DeliveryCounts = Record<'pending' | 'succeeded' | 'failed', number>;

const counts = prepare<{ ids: string[] }, DeliveryCounts & { id: string }>('count_replay_deliveries', ($) =>
  knex.raw(
    `select id,
       (count(*) filter (where status = 'pending'))::int as pending,
       (count(*) filter (where status = 'succeeded'))::int as succeeded,
       (count(*) filter (where status = 'failed'))::int as failed
     from (
       select replay_id as id, status from webhook_deliveries where replay_id = any(?::uuid[])
       union all
       select replay.id, status from unnest(?::uuid[]) as replay (id)
       join webhook_deliveries on earlier_replay_ids @> array[replay.id]
     ) counted group by id`,
    [$('ids'), $('ids')],
  ),
);

/** The deliveries of these replays by status. Lacks replays without deliveries. */
export async function countReplayDeliveries(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeliveryCounts>> {
  const rows = await db.run(counts({ ids: [...ids] }));
  return new Map(rows.map(({ id, ...found }) => [id, found]));
}
