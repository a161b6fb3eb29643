import { RETENTION_DAYS } from '../events/retention.ts';
import { grantColumns } from '../jobs/grant.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { endOf, startOf } from '../values/instant-or-date.ts';
import { DAY } from '../values/time.ts';
import { lockSending } from './lock-sending.ts';
import { describeReplay } from './replay.ts';
import { forgetLosses, insertReplay } from './replay-queries.ts';
import type { WebhookReplayRow, WebhookRow } from './tables.ts';

/** Stores the replay; the workers run it (continue-replays.ts). */
export async function replayWebhook(
  { path, body }: Input<'replayWebhook'>,
  { db, actor, principal, baseUrl }: OperationContext,
): Promise<Result<'replayWebhook'>> {
  const [from, to] = idRangeOf(body, Date.now());
  const webhook = await lockSending(db, path, ['enabled'], 'no key update');
  const wanted = {
    occurred_from: from,
    occurred_to: to,
    event_types: eventTypesOf(body, webhook),
    only_failed: body.only_failed,
    only_undelivered: body.only_undelivered,
  };
  const covers_since = coversLosses(wanted, webhook) ? webhook.lost_since : null;
  const replay = await insertReplay(db, {
    webhook_id: webhook.id,
    ...wanted,
    covers_since,
    ...grantColumns({ actor, principal }),
  });
  if (replay === undefined) {
    const message = 'A replay of this webhook is still running. Wait until it has finished, or cancel it.';
    throw invalidField('id', message, 'replay_running');
  }
  if (covers_since !== null) await forgetLosses(db, webhook.id);
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

type Wanted = Pick<WebhookReplayRow, 'occurred_from' | 'occurred_to' | 'event_types' | 'only_failed'>;

/** Whether the replay sends again all that was lost until now. */
function coversLosses(
  { occurred_from: from, occurred_to: to, event_types: types, only_failed: onlyFailed }: Wanted,
  { lost_since: since, event_types: subscribed }: WebhookRow,
): boolean {
  if (since === null || onlyFailed || !subscribed.every((type) => types.includes(type))) return false;
  return Date.parse(from) <= Date.parse(since) && Date.parse(to) >= Date.now();
}

/** The requested event types, by default all that the webhook subscribes to. Throws 422 for a type it doesn't. */
function eventTypesOf(
  { event_types: requested }: Schema<'ReplayWebhook'>,
  { event_types: subscribed }: WebhookRow,
): Schema<'EventTypes'> {
  if (requested?.includes('*') && requested.length > 1) {
    throw invalidField('event_types', 'must be either ["*"] or a list of event types');
  }
  if (requested === undefined || requested[0] === '*') return subscribed as Schema<'EventTypes'>;
  const unsubscribed = requested.find((type) => !subscribed.includes('*') && !subscribed.includes(type));
  if (unsubscribed === undefined) return [...new Set(requested)];
  throw invalidField('event_types', `has ${unsubscribed}, to which the webhook does not subscribe`);
}
