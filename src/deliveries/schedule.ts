import { HOUR, MINUTE, SECOND } from '../values/time.ts';
import type { WebhookRow } from '../webhooks/tables.ts';

type RetrySchedule = WebhookRow['retry_schedule'];

/** Milliseconds between a failed attempt and the next one. The first attempt is immediate. */
const delays: Record<RetrySchedule, readonly number[]> = {
  standard: [
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
  fast: [1, 2, 3, 5, 7, 8, 10, 12, 12].map((seconds) => seconds * SECOND),
};

/** Fraction of a delay, up or down, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Milliseconds to wait after `attempts` attempts, the last of which failed; undefined if there is no further attempt. A
 * longer `retryAfter` (milliseconds) takes precedence, up to the longest delay of the schedule. `random` is from 0 to 1.
 */
export function delayAfter(
  schedule: RetrySchedule,
  attempts: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const delay = delays[schedule][attempts - 1];
  if (delay === undefined) return undefined;
  const spread = delay * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(spread, Math.min(retryAfter ?? 0, Math.max(...delays[schedule]))));
}

/**
 * Parses a Retry-After header (RFC 9110 section 10.2.3), in seconds or as a date. Returns milliseconds from `now`, or
 * undefined if it is malformed or not in the future.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return wait > 0 ? wait : undefined;
}
