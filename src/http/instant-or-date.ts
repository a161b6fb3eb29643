const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The contract's format `instant-or-date`: an RFC 3339 instant, or a date for that whole UTC day. */
export function isInstantOrDate(text: string): boolean {
  return isDate(text) || isDate(INSTANT.exec(text)?.[1] ?? '');
}

/** The first moment that the text means, in milliseconds since 1970. */
export function beginOf(text: string): number {
  return Date.parse(text);
}

/** The last millisecond that the text means. */
export function endOf(text: string): number {
  return DATE.test(text) ? Date.parse(text) + 86_400_000 - 1 : Date.parse(text);
}

/** A day that exists: Date.parse takes February 30th for March 2nd. Year 0000 is unknown to PostgreSQL. */
export function isDate(text: string): boolean {
  if (!DATE.test(text) || text.startsWith('0000')) return false;
  const parsed = Date.parse(text);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(text);
}
