import { first } from '../db/db.ts';
import { RETENTION_DAYS } from '../events/retention.ts';
import { accepted } from '../http/responses.ts';
import { grantColumns } from '../jobs/grant.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { newUuid } from '../values/id.ts';
import { endOf, endOfRange, startOf } from '../values/instant-or-date.ts';
import { DAY } from '../values/time.ts';
import { includesType, overlaps } from './event-types.ts';
import { lockSending } from './lock-sending.ts';
import { describeReplay } from './replay.ts';
import { findBounds, forgetLosses, replays } from './replay-queries.ts';
import type { ReplayRow, WebhookRow } from './tables.ts';

/** Queues the replay (replay-kind.ts). */
export async function createWebhookReplay(
  { path, body }: Input<'createWebhookReplay'>,
  { db, actor, principal, requestId, baseUrl }: OperationContext,
): Promise<Result<'createWebhookReplay'>> {
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
  const { occurred_to, ...position } = await findBounds(db, from, to);
  const insertion = replays.statements.insert({
    id: newUuid(),
    kind: 'replay',
    status: 'queued',
    webhook_id: webhook.id,
    exclusive_key: webhook.id,
    options: { ...wanted, occurred_to },
    state: { ...position, covers_since },
    counts: { events_read: 0, deliveries_created: 0, deliveries_hurried: 0 },
    ...grantColumns({ actor, principal }),
    request_id: requestId,
  });
  const replay = await first(db, insertion);
  if (replay === undefined) {
    const message = 'A replay of this webhook is still running. Wait until it has finished, or cancel it.';
    throw invalidField('id', message, 'replay_running');
  }
  if (covers_since !== null) await forgetLosses(db, webhook.id);
  const data = await describeReplay(db, replay);
  return accepted(data, `${baseUrl}/webhooks/${data.webhook_id}/replays/${data.id}`);
}

/** The first and last instant to replay. Throws 422. */
function idRangeOf({ from, to }: Schema<'CreateWebhookReplay'>, now: number): [string, string] {
  const begin = startOf(from);
  const end = endOfRange(to);
  if (begin > end) throw invalidField('from', 'must not be later than to');
  if (begin > now) throw invalidField('from', 'must not be in the future');
  if (endOf(from) < now - RETENTION_DAYS * DAY) {
    throw invalidField('from', `must be at most ${RETENTION_DAYS} days ago; older events are not kept`);
  }
  return [new Date(begin).toISOString(), new Date(end).toISOString()];
}

type Wanted = Pick<ReplayRow['options'], 'occurred_from' | 'occurred_to' | 'event_types' | 'only_failed'>;

/** Whether the replay sends again all that was lost until now. */
function coversLosses(
  { occurred_from: from, occurred_to: to, event_types: types, only_failed: onlyFailed }: Wanted,
  { lost_since: since, event_types: subscribed }: WebhookRow,
): boolean {
  if (since === null || onlyFailed || !subscribed.every((type) => includesType(types, type))) return false;
  return Date.parse(from) <= Date.parse(since) && Date.parse(to) >= Date.now();
}

/** The requested event types, by default all that the webhook subscribes to. Throws 422 for a type it doesn't. */
function eventTypesOf(
  { event_types: requested }: Schema<'CreateWebhookReplay'>,
  { event_types: subscribed }: WebhookRow,
): Schema<'EventTypes'> {
  if (requested?.includes('*') && requested.length > 1) {
    throw invalidField('event_types', 'must be either ["*"] or a list of event types');
  }
  if (requested === undefined || requested[0] === '*') return subscribed as Schema<'EventTypes'>;
  const unsubscribed = requested.find((type) => !overlaps(subscribed, type));
  if (unsubscribed === undefined) return [...new Set(requested)];
  throw invalidField('event_types', `has ${unsubscribed}, to which the webhook does not subscribe`);
}
