import { DAY } from './time.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The contract's format `instant-or-date`: an RFC 3339 instant, or a date for that whole UTC day. */
export function isInstantOrDate(text: string): boolean {
  return isDate(text) || isDate(INSTANT.exec(text)?.[1] ?? '');
}

/** The instant, or the first millisecond of the date. Milliseconds since 1970. */
export function startOf(text: string): number {
  return Date.parse(text);
}

/** The instant, or the last millisecond of the date. Milliseconds since 1970. */
export function endOf(text: string): number {
  return DATE.test(text) ? Date.parse(text) + DAY - 1 : Date.parse(text);
}

/** Whether the date exists: Date.parse reads February 30th as March 2nd. PostgreSQL has no year 0000. */
export function isDate(text: string): boolean {
  if (!DATE.test(text) || text.startsWith('0000')) return false;
  const parsed = Date.parse(text);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(text);
}
