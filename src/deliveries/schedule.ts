const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after a failed attempt the next one comes (milliseconds). The first is made at once. */
const delays = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** So that what failed together is not tried again together. */
const JITTER = 0.1;

/** Longer than the longest delay nobody is waited for, whatever a Retry-After asks. */
const LONGEST = 24 * HOUR;

/**
 * How long to wait (milliseconds) after so many attempts, of which the last has failed; undefined when it was the last.
 * A longer Retry-After wins. `random` is from 0 to 1.
 */
export function delayAfter(
  attempts: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const delay = delays[attempts - 1];
  if (delay === undefined) return undefined;
  const spread = delay * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(spread, Math.min(retryAfter ?? 0, LONGEST)));
}

/** A Retry-After header, in seconds or as a date, in milliseconds from now; undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return wait > 0 ? wait : undefined;
}
