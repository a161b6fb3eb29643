import { Webhook } from 'standardwebhooks';
import { decrypt, type SecretKey } from '../values/secrets.ts';
import { headersOf } from '../webhooks/headers.ts';
import type { TraceAttempt } from './attempt-spans.ts';
import type { AttemptOutcome } from './outcome-queries.ts';
import type { PendingDelivery } from './queries.ts';
import { delayAfter } from './schedule.ts';
import type { PostResult, Sender } from './send.ts';

/** An event as sent to webhooks. */
export interface Message {
  /** Public event id. */
  id: string;
  body: string;
  occurredAt: string;
}

export interface AttemptOptions {
  sender: Sender;
  secretKey: SecretKey;
  /** From 0 to 1. */
  random(): number;
  traceAttempt?: TraceAttempt | undefined;
  /** Replaces the clocks of this process and of PostgreSQL in tests. */
  now?: (() => Date) | undefined;
}

const untraced: TraceAttempt = (_delivery, send) => send({});

/**
 * Sends the message once with a fresh signature and decides on the next attempt. `message` is undefined if the event is no
 * longer kept.
 */
export async function attempt(
  delivery: PendingDelivery,
  message: Message | undefined,
  { sender, secretKey, random, traceAttempt = untraced, now = () => new Date() }: AttemptOptions,
): Promise<AttemptOutcome> {
  const at = now();
  const startedAt = performance.now();
  const own = headersOf(delivery, secretKey);
  const result =
    message === undefined
      ? notKept
      : await traceAttempt(delivery, (traceHeaders) => {
          const signed = signatureHeaders(message, secretsOf(delivery, secretKey), at);
          return sender.post(delivery.url, { ...own, ...traceHeaders, ...signed }, message.body);
        });
  return {
    delivery_id: delivery.id,
    attempt_count: delivery.attempt_count,
    occurred_at: message?.occurredAt ?? null,
    attempted_at: at.toISOString(),
    duration_ms: Math.round(performance.now() - startedAt),
    status_code: result.statusCode,
    error: result.error,
    response_body: result.body && withoutValues(result.body, own),
    ...(message === undefined ? failed : nextState(delivery, result, random())),
  };
}

const notKept: PostResult = { statusCode: null, error: 'Not sent: the event is no longer kept.', body: null };

function secretsOf(
  { encrypted_secret, encrypted_previous_secret }: PendingDelivery,
  secretKey: SecretKey,
): string[] {
  const previous = encrypted_previous_secret === null ? [] : [encrypted_previous_secret];
  return [encrypted_secret, ...previous].map((secret) => decrypt(secretKey, secret));
}

/** Standard Webhooks headers, which prove to the receiver who sent the body, and when. One signature per secret. */
function signatureHeaders({ id, body }: Message, secrets: readonly string[], at: Date) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

/** Shorter values are no secrets, and occur in other words. */
const MIN_SECRET_LENGTH = 8;

/** The body without values of the webhook's own headers: some receivers repeat what they got. */
function withoutValues(body: string, headers: Record<string, string>): string {
  const secrets = Object.values(headers).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), body);
}

const GONE = 410;
const failed = { status: 'failed', next_attempt_in: null } as const;

function nextState(
  { retry_schedule: schedule, attempt_count: earlier }: PendingDelivery,
  { statusCode, retryAfter }: PostResult,
  random: number,
): Pick<AttemptOutcome, 'status' | 'next_attempt_in'> {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { status: 'succeeded', next_attempt_in: null };
  }
  const delay = isGone(statusCode) ? undefined : delayAfter(schedule, earlier + 1, retryAfter, random);
  return delay === undefined ? failed : { status: 'pending', next_attempt_in: delay };
}

/** 410 Gone means that the receiver wants no more deliveries. */
export function isGone(statusCode: number | null): boolean {
  return statusCode === GONE;
}
