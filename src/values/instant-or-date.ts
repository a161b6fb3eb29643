import { DAY, SECOND } from './time.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** RFC 3339, and what languages print: a space, an offset without colon or minutes, no seconds (Java, if they are 0). */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(\.\d{1,9})?)?(?:[Zz]|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)$/;

/** The contract's format `instant-or-date`: an instant, or a date for that whole UTC day. */
export function isInstantOrDate(text: string): boolean {
  return isDate(text) || isDate(INSTANT.exec(text)?.[1] ?? '');
}

/** The instant, or the first millisecond of the date. Milliseconds since 1970. */
export function startOf(text: string): number {
  const [, day, time, seconds = ':00', fraction = '', hours, minutes = '00'] = INSTANT.exec(text) ?? [];
  if (day === undefined) return Date.parse(text);
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return Date.parse(`${day}T${time}${seconds}${fraction}${offset}`);
}

/** The instant, or the last millisecond of the date. Milliseconds since 1970. */
export function endOf(text: string): number {
  return startOf(text) + (DATE.test(text) ? DAY - 1 : 0);
}

/** As the end of a range, a time without a fraction includes its whole second, since most clients write no fractions. */
export function endOfRange(text: string): number {
  return endOf(text) + (DATE.test(text) || text.includes('.') ? 0 : SECOND - 1);
}

/** Whether the date exists: Date.parse reads February 30th as March 2nd. PostgreSQL has no year 0000. */
export function isDate(text: string): boolean {
  if (!DATE.test(text) || text.startsWith('0000')) return false;
  const parsed = Date.parse(text);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(text);
}
