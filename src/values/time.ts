/** Lengths of time in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** In UTC, or of a date: local days may be an hour longer or shorter. */
export const DAY = 24 * HOUR;

/** The years that both PostgreSQL and toISOString() write with four digits; no row lies outside. */
export const MIN_TIME = Date.parse('0001-01-01T00:00:00.000Z');
export const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');
