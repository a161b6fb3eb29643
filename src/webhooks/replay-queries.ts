import { type Db, first } from '../db/db.ts';
import * as filters from '../db/list/filters.ts';
import { before, knex, prepare } from '../db/query.ts';
import { type Failure, failureColumns } from '../jobs/failure.ts';
import type { GrantColumns } from '../jobs/tables.ts';
import type { Input } from '../operation.ts';
import {
  type ReplayPosition,
  type WebhookReplayRow,
  type WebhookRow,
  webhookReplayColumns,
} from './tables.ts';

/** Maximum difference between an event's `occurred_at` and the time in its id. The id is made later, and is not rounded. */
export const REPLAY_MARGIN = `interval '1 minute'`;

export const replays = {
  table: 'webhook_replays',
  columns: webhookReplayColumns,
  sortable: { created_at: 'timestamptz' },
} as const;

export const replayFilters: filters.FilterTable<Input<'listWebhookReplays'>['query']> = {
  status: filters.anyOf('status'),
  created_from: filters.from('created_at'),
  created_to: filters.to('created_at'),
};

type NewReplay = GrantColumns &
  Pick<ReplayPosition, 'covers_since'> &
  Pick<
    WebhookReplayRow,
    'webhook_id' | 'occurred_from' | 'occurred_to' | 'event_types' | 'only_failed' | 'only_undelivered'
  >;

/**
 * Inserts a replay that ends now at the latest, by the clock that sets the times of events. Undefined if this webhook already
 * has an unfinished replay.
 */
export async function insertReplay(db: Db, replay: NewReplay): Promise<WebhookReplayRow | undefined> {
  return first<WebhookReplayRow>(
    db,
    knex('webhook_replays')
      .insert({
        ...replay,
        occurred_to: knex.raw('least(?::timestamptz, clock_timestamp())', [replay.occurred_to]),
        after_event_id: knex.raw(`uuid_bound(?::timestamptz - ${REPLAY_MARGIN})`, [replay.occurred_from]),
        last_position: knex.raw('?', [knex('event_positions').select('last_value')]),
      })
      .onConflict()
      .ignore()
      .returning(webhookReplayColumns),
  );
}

const replayOf = prepare<{ webhookId: string; id: string }, WebhookReplayRow>('webhook_replay', ($) =>
  knex('webhook_replays')
    .where({ id: $('id'), webhook_id: $('webhookId') })
    .select(...webhookReplayColumns),
);

/** UUIDs. */
export async function findReplay(
  db: Db,
  webhookId: string,
  id: string,
): Promise<WebhookReplayRow | undefined> {
  return first(db, replayOf({ webhookId, id }));
}

const unfinished = knex.raw(`webhook_replays.status in ('queued', 'running')`);

/** The losses of a webhook (UUID) will be sent again by a replay. */
export async function forgetLosses(db: Db, webhookId: string): Promise<void> {
  await db.run(knex('webhooks').where({ id: webhookId }).update({ lost_since: null }));
}

/** Restores what a replay (UUID) that ended early would have sent. Its webhook must be locked. */
async function rememberLosses(db: Db, { id, webhook_id }: WebhookReplayRow): Promise<void> {
  const covered = knex('webhook_replays').where({ id }).select('covers_since');
  await db.run(
    knex('webhooks')
      .where({ id: webhook_id })
      .update({ lost_since: knex.raw('least(lost_since, (?))', [covered]) }),
  );
}

/**
 * Ends an unfinished replay (UUID) early, because it was cancelled or has failed. Waits for a running batch, which locks it.
 * Undefined if it has finished. Its webhook must be locked.
 */
export async function endReplay(
  db: Db,
  id: string,
  failure?: Failure,
): Promise<WebhookReplayRow | undefined> {
  const end =
    failure === undefined ? { status: 'cancelled' } : { status: 'failed', ...failureColumns(failure) };
  const ended = await first<WebhookReplayRow>(
    db,
    knex('webhook_replays')
      .where({ id })
      .where(unfinished)
      .update({ ...end, finished_at: knex.raw('clock_timestamp()') } as object)
      .returning(webhookReplayColumns),
  );
  if (ended !== undefined) await rememberLosses(db, ended);
  return ended;
}

export function findUnfinished(db: Db): Promise<WebhookReplayRow[]> {
  return db.run<WebhookReplayRow>(knex('webhook_replays').where(unfinished).select(webhookReplayColumns));
}

export type LockedReplay = WebhookReplayRow &
  Pick<ReplayPosition, 'after_event_id'> & {
    webhook_status: WebhookRow['status'];
    /** Whether all transactions that were writing events when the replay was requested have ended. */
    is_complete: boolean;
  };

const lock = prepare<{ id: string }, LockedReplay>('lock_webhook_replay', ($) =>
  knex('webhook_replays')
    .join('webhooks', 'webhooks.id', 'webhook_id')
    .where('webhook_replays.id', $('id'))
    .where(unfinished)
    .select(
      ...webhookReplayColumns.map((name) => `webhook_replays.${name}`),
      'after_event_id',
      'webhooks.status as webhook_status',
      knex.raw('event_horizon() >= last_position as is_complete'),
    )
    .forUpdate('webhook_replays')
    .skipLocked(),
);

/** The unfinished replay, locked until the transaction ends. Undefined when it has finished, or another worker has locked it. */
export async function lockReplay(trx: Db, id: string): Promise<LockedReplay | undefined> {
  return first(trx, lock({ id }));
}

/** What one batch has done. */
export interface BatchResult {
  /** The last event read (UUID), or null if the replay has read all of them. */
  last: string | null;
  read: number;
  created: number;
  hurried: number;
}

export async function advanceReplay(
  db: Db,
  id: string,
  { last, read, created, hurried }: BatchResult,
): Promise<void> {
  await db.run(
    knex('webhook_replays')
      .where({ id })
      .update({
        status: last === null ? 'completed' : 'running',
        events_read: knex.raw('events_read + ?', [read]),
        deliveries_created: knex.raw('deliveries_created + ?', [created]),
        deliveries_hurried: knex.raw('deliveries_hurried + ?', [hurried]),
        started_at: knex.raw('coalesce(started_at, now())'),
        ...(last === null ? { finished_at: knex.raw('clock_timestamp()') } : { after_event_id: last }),
      }),
  );
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

/** Finished replays to keep per webhook. */
const MAX_FINISHED = 1_000;

/** Deletes up to `limit` finished replays that were older than 30 days at `now`, or are surplus. Returns the number deleted. */
export async function deleteOldReplays(
  db: Db,
  now: Date,
  limit: number,
  kept = MAX_FINISHED,
): Promise<number> {
  const deleted = await db.run(
    knex.raw(
      `with old as (
         select replay.id from webhooks cross join lateral (
           select id, finished_at, row_number() over (order by created_at desc, id desc) as number
           from webhook_replays where webhook_id = webhooks.id and finished_at is not null
         ) replay
         where number > ?::int or finished_at < ?
         limit ?
       )
       delete from webhook_replays where id in (select id from old) returning id`,
      [kept, before(now, '30 days'), limit],
    ),
  );
  return deleted.length;
}
