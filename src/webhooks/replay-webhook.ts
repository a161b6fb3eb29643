import type { WebhookRow } from '../db/webhook-tables.ts';
import { beginOf, endOf } from '../http/instant-or-date.ts';
import type { Input, OperationContext, Result, Schema } from '../http/operation.ts';
import { invalidField } from '../http/problem.ts';
import { lockSending } from './lock-sending.ts';
import { insertReplay } from './replay-queries.ts';

const DAY = 24 * 60 * 60_000;
const KEPT_DAYS = 90;

/** Notes down what is wanted; the workers do it (replay.ts). */
export async function replayWebhook(
  { path, body }: Input<'replayWebhook'>,
  { db }: OperationContext,
): Promise<Result<'replayWebhook'>> {
  const now = Date.now();
  const [from, to] = spanOf(body, now);
  const webhook = await lockSending(db, path);
  const eventTypes = typesOf(body, webhook);
  const onlyFailed = body.only_failed ?? false;
  if (!(await insertReplay(db, webhook.id, { from, to, eventTypes, onlyFailed }))) {
    throw invalidField('id', 'has a replay that is still under way', 'replay_running');
  }
  const data = {
    from: from.toISOString(),
    to: to.toISOString(),
    event_types: eventTypes,
    only_failed: onlyFailed,
  };
  return { status: 202, body: { data } };
}

/** The first and the last moment; nothing has happened yet after `now`. Throws 422. */
function spanOf({ from, to }: Schema<'ReplayWebhook'>, now: number): [Date, Date] {
  const begin = beginOf(from);
  const end = endOf(to);
  if (begin > end) throw invalidField('from', 'must not be later than to');
  if (begin > now) throw invalidField('from', 'must not lie in the future');
  if (endOf(from) < now - KEPT_DAYS * DAY) {
    throw invalidField('from', `must not lie more than ${KEPT_DAYS} days back; events are not kept longer`);
  }
  return [new Date(begin), new Date(Math.min(end, now))];
}

/** What is asked for, else all that the webhook subscribes to. Throws 422 for what it doesn't. */
function typesOf(
  { event_types: asked }: Schema<'ReplayWebhook'>,
  { event_types: subscribed }: WebhookRow,
): Schema<'EventTypes'> {
  if (asked === undefined) return subscribed as Schema<'EventTypes'>;
  const strange = asked.find((type) => !subscribed.includes('*') && !subscribed.includes(type));
  if (strange === undefined) return [...new Set(asked)];
  throw invalidField('event_types', `must be types that the webhook subscribes to, which ${strange} is not`);
}
