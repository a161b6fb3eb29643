import type { Db } from '../db/db.ts';
import { run } from '../db/statement.ts';
import type { WebhookRow } from '../db/webhook-tables.ts';

interface Replay {
  from: Date;
  to: Date;
  eventTypes: readonly string[];
  onlyFailed: boolean;
}

/** Returns false when this webhook already has a replay in progress. */
export async function insertReplay(db: Db, webhookId: string, replay: Replay): Promise<boolean> {
  const { from, to, eventTypes, onlyFailed } = replay;
  const inserted = await run(db, {
    sql: `insert into webhook_replays
        (webhook_id, occurred_from, occurred_to, event_types, only_failed, after_event_id, last_position)
      select ?, ?, ?, ?, ?, uuid_bound(?), last_value from event_positions
      on conflict do nothing returning webhook_id`,
    bindings: [webhookId, from, to, eventTypes, onlyFailed, from],
  });
  return inserted.length === 1;
}

interface ReplayRow {
  webhook_id: string;
  webhook_status: WebhookRow['status'];
  occurred_from: Date;
  occurred_to: Date;
  event_types: string[];
  only_failed: boolean;
  after_event_id: string;
  /** Whether every transaction has ended that was writing events when the replay was requested. */
  is_complete: boolean;
}

/** The UUIDs of webhooks with a replay in progress. */
export async function findReplays(db: Db): Promise<string[]> {
  const rows = await run<{ webhook_id: string }>(db, {
    name: 'webhook_replays',
    sql: 'select webhook_id from webhook_replays',
    bindings: [],
  });
  return rows.map(({ webhook_id: id }) => id);
}

/**
 * The replay of this webhook, locked until the transaction ends. Undefined when there is none, or another worker has
 * locked it.
 */
export async function lockReplay(trx: Db, webhookId: string): Promise<ReplayRow | undefined> {
  const [row] = await run<ReplayRow>(trx, {
    name: 'lock_webhook_replay',
    sql: `select webhook_id, webhooks.status as webhook_status, occurred_from, occurred_to, webhook_replays.event_types,
        only_failed, after_event_id, event_horizon() >= last_position as is_complete
      from webhook_replays join webhooks on webhooks.id = webhook_id
      where webhook_id = ? for update of webhook_replays skip locked`,
    bindings: [webhookId],
  });
  return row;
}

export async function deleteReplay(db: Db, webhookId: string): Promise<void> {
  await run(db, { sql: 'delete from webhook_replays where webhook_id = ?', bindings: [webhookId] });
}

export async function advanceReplay(db: Db, webhookId: string, lastEventId: string): Promise<void> {
  await run(db, {
    name: 'advance_webhook_replay',
    sql: 'update webhook_replays set after_event_id = ? where webhook_id = ?',
    bindings: [lastEventId, webhookId],
  });
}

/** Counts the deliveries of this webhook that are due or in progress, up to `limit`. */
export async function countDue(db: Db, webhookId: string, limit: number): Promise<number> {
  const [row] = await run<{ count: number }>(db, {
    name: 'count_due_webhook_deliveries',
    sql: `select count(*)::int as count from (
        select from webhook_deliveries
        where webhook_id = ? and status = 'pending' and least(attempt_count, 1) in (0, 1) and next_attempt_at <= now()
        limit ?
      ) due`,
    bindings: [webhookId, limit],
  });
  return row?.count ?? 0;
}

/**
 * Reads the next events, at most `limit`, and inserts a delivery for each one that the replay selects. Returns the last
 * event read (UUID), or null when fewer than `limit` were left. An event's id is generated slightly after its
 * `occurred_at`, hence the margin of a minute.
 */
export async function insertReplayDeliveries(
  trx: Db,
  replay: ReplayRow,
  limit: number,
): Promise<string | null> {
  const [row] = await run<{ last: string | null }>(trx, {
    name: 'insert_replayed_deliveries',
    sql: `with wanted as (
        select ?::uuid as webhook_id, ?::timestamptz as occurred_from, ?::timestamptz as occurred_to,
          ?::text[] as event_types, ?::boolean as only_failed
      ), looked_at as materialized (
        select id, type, resource_id, occurred_at from events
        where id > ? and id < uuid_bound(?::timestamptz + interval '1 minute')
        order by id limit ?
      ), made as (
        insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
        select webhook_id, event.id, type, resource_id
        from looked_at event cross join wanted
        where occurred_at between occurred_from and occurred_to
          and event_types && array['*', type]
          -- webhook.test goes to one webhook only, webhook.disabled to all but the disabled one.
          and type <> 'webhook.test' and (type <> 'webhook.disabled' or resource_id <> webhook_id)
          and not exists (
            select from webhook_deliveries made
            where made.resource_id = event.resource_id and made.event_id = event.id
              and made.webhook_id = wanted.webhook_id
              and (status = 'pending' and next_attempt_at <= now() or only_failed and status = 'succeeded')
          )
          and (not only_failed or exists (
            select from webhook_deliveries made
            where made.resource_id = event.resource_id and made.event_id = event.id
              and made.webhook_id = wanted.webhook_id and status = 'failed'
          ))
        order by event.id
      )
      select (select id from looked_at order by id offset ?::int - 1) as last`,
    bindings: [
      ...[
        replay.webhook_id,
        replay.occurred_from,
        replay.occurred_to,
        replay.event_types,
        replay.only_failed,
      ],
      ...[replay.after_event_id, replay.occurred_to, limit, limit],
    ],
  });
  if (row === undefined) throw new Error('A replay returned no row.');
  return row.last;
}
