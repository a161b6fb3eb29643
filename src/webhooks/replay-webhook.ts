import { actorColumns } from '../actor.ts';
import { RETENTION_DAYS } from '../events/retention.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { endOf, startOf } from '../values/instant-or-date.ts';
import { DAY } from '../values/time.ts';
import { lockSending } from './lock-sending.ts';
import { describeReplay } from './replay.ts';
import { insertReplay } from './replay-queries.ts';
import type { WebhookRow } from './tables.ts';

/** Stores the replay; the workers run it (continue-replays.ts). */
export async function replayWebhook(
  { path, body }: Input<'replayWebhook'>,
  { db, actor, baseUrl }: OperationContext,
): Promise<Result<'replayWebhook'>> {
  const [from, to] = idRangeOf(body, Date.now());
  const webhook = await lockSending(db, path);
  const replay = await insertReplay(db, {
    webhook_id: webhook.id,
    occurred_from: from,
    occurred_to: to,
    event_types: eventTypesOf(body, webhook),
    only_failed: body.only_failed,
    only_undelivered: body.only_undelivered,
    ...actorColumns(actor),
  });
  if (replay === undefined) {
    const message = 'A replay of this webhook is still running. Wait until it has finished, or cancel it.';
    throw invalidField('id', message, 'replay_running');
  }
  const data = await describeReplay(db, replay);
  const Location = `${baseUrl}/webhooks/${data.webhook_id}/replays/${data.id}`;
  return { status: 202, headers: { Location }, body: { data } };
}

/** The first and last instant to replay. Throws 422. */
function idRangeOf({ from, to }: Schema<'ReplayWebhook'>, now: number): [string, string] {
  const begin = startOf(from);
  const end = endOf(to);
  if (begin > end) throw invalidField('from', 'must not be later than to');
  if (begin > now) throw invalidField('from', 'must not be in the future');
  if (endOf(from) < now - RETENTION_DAYS * DAY) {
    throw invalidField('from', `must be at most ${RETENTION_DAYS} days ago; older events are not kept`);
  }
  return [new Date(begin).toISOString(), new Date(end).toISOString()];
}

/** The requested event types, by default all that the webhook subscribes to. Throws 422 for a type it doesn't. */
function eventTypesOf(
  { event_types: requested }: Schema<'ReplayWebhook'>,
  { event_types: subscribed }: WebhookRow,
): Schema<'EventTypes'> {
  if (requested === undefined) return subscribed as Schema<'EventTypes'>;
  const unsubscribed = requested.find((type) => !subscribed.includes('*') && !subscribed.includes(type));
  if (unsubscribed === undefined) return [...new Set(requested)];
  throw invalidField('event_types', `has ${unsubscribed}, to which the webhook does not subscribe`);
}
