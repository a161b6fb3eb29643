import type { Db } from '../db/db.ts';
import { toActor } from '../events/event.ts';
import { nameActors } from '../events/name-actors.ts';
import { toFailure } from '../jobs/failure.ts';
import type { Schema } from '../operation.ts';
import { notFound } from '../problem.ts';
import { toId, toUuid } from '../values/id.ts';
import { countReplayDeliveries, findReplay } from './replay-queries.ts';
import type { WebhookReplayRow, WebhookRow } from './tables.ts';

export function toReplay(row: WebhookReplayRow) {
  return {
    id: toId('replay', row.id),
    webhook_id: toId('webhook', row.webhook_id),
    status: row.status,
    from: row.occurred_from,
    to: row.occurred_to,
    event_types: row.event_types as Schema<'EventTypes'>,
    only_failed: row.only_failed,
    only_undelivered: row.only_undelivered,
    progress: {
      events_read: row.events_read,
      deliveries_created: row.deliveries_created,
      deliveries_hurried: row.deliveries_hurried,
    },
    actor: toActor(row),
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    failure: toFailure(row),
  };
}

const none = { pending: 0, succeeded: 0, failed: 0 };

/** The replays, with what became of their deliveries, and the names of their actors. */
export async function describeReplays(
  db: Db,
  replays: readonly ReturnType<typeof toReplay>[],
): Promise<Schema<'WebhookReplay'>[]> {
  const uuids = replays.map(({ id }) => toUuid('replay', id) ?? '');
  const counts = await countReplayDeliveries(db, uuids);
  const named = await nameActors(db, replays);
  return named.map((replay, index) => ({ ...replay, deliveries: counts.get(uuids[index] ?? '') ?? none }));
}

export async function describeReplay(db: Db, row: WebhookReplayRow): Promise<Schema<'WebhookReplay'>> {
  const [replay] = await describeReplays(db, [toReplay(row)]);
  return replay as Schema<'WebhookReplay'>;
}

/** The replay with this public id, if it belongs to this webhook. Throws 404. */
export async function findOwnReplay(db: Db, webhook: WebhookRow, id: string): Promise<WebhookReplayRow> {
  const uuid = toUuid('replay', id);
  const replay = uuid === undefined ? undefined : await findReplay(db, webhook.id, uuid);
  if (replay === undefined) throw notFound(`The replay ${id} of this webhook`);
  return replay;
}
