import type { Db } from '../db/db.ts';
import { toActor } from '../events/event.ts';
import { nameActors } from '../events/name-actors.ts';
import { toFailure } from '../jobs/failure.ts';
import type { Schema } from '../operation.ts';
import { notFound } from '../problem.ts';
import { history } from '../resource/fields.ts';
import { toId, toUuid } from '../values/id.ts';
import { countReplayDeliveries } from './replay-queries.ts';
import type { ReplayRow } from './tables.ts';

export function toReplay(row: ReplayRow) {
  return {
    id: toId('replay', row.id),
    webhook_id: toId('webhook', row.webhook_id),
    status: row.status,
    from: row.options.occurred_from,
    to: row.options.occurred_to,
    event_types: row.options.event_types as Schema<'EventTypes'>,
    only_failed: row.options.only_failed,
    only_undelivered: row.options.only_undelivered,
    progress: row.counts,
    actor: toActor(row),
    ...history(row),
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

export async function describeReplay(db: Db, row: ReplayRow): Promise<Schema<'WebhookReplay'>> {
  const [replay] = await describeReplays(db, [toReplay(row)]);
  return replay as Schema<'WebhookReplay'>;
}

/** Returns the replay if it belongs to the webhook with this public id. Throws 404. */
export function ofWebhook(webhookId: string, replay: ReplayRow): ReplayRow {
  if (toId('webhook', replay.webhook_id) === webhookId) return replay;
  throw notFound(`The replay ${toId('replay', replay.id)} of this webhook`);
}
