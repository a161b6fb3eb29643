/** Lengths of time in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** A day in UTC: local days may be an hour longer or shorter. */
export const DAY = 24 * HOUR;

/** The years that PostgreSQL and toISOString() both write with four digits. All rows are within them. */
export const MIN_TIME = Date.parse('0001-01-01T00:00:00.000Z');
export const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');
