import { LRUCache } from 'lru-cache';
import { DAY, MINUTE, SECOND } from './time.ts';

/** Cached, because creating a formatter takes longer than using it a thousand times. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** The contract's format `timezone`: an IANA name. Rejects offsets, which Intl accepts too. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    formatterFor(name);
    return true;
  } catch {
    return false;
  }
}

/** The local date in the timezone at this moment: `2026-11-20`. */
export function localDate(moment: number, timezone: string): string {
  return new Date(moment + offsetAt(moment, timezone)).toISOString().slice(0, 10);
}

/**
 * The first moment at which the local time is midnight of this day or later. If midnight occurs twice (the clocks are
 * set back across it), the first one; if it does not occur (they are set forward across it), the moment of the change.
 */
export function startOfDay(day: string, timezone: string): number {
  const midnight = Date.parse(day);
  const offsets = [midnight - DAY, midnight + DAY].map((moment) => offsetAt(moment, timezone));
  let early = midnight - Math.max(...offsets);
  let late = midnight - Math.min(...offsets);
  const isPast = (moment: number) => moment + offsetAt(moment, timezone) >= midnight;
  if (isPast(early)) return early;
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (isPast(middle)) late = middle;
    else early = middle;
  }
  return late;
}

/** RFC 3339 in local time, or in UTC if the offset is not in whole minutes, as for historical dates. */
export function toLocalTime(moment: number, timezone: string): string {
  const offset = offsetAt(moment, timezone);
  if (offset % MINUTE !== 0) return new Date(moment).toISOString();
  const minutes = Math.abs(offset) / MINUTE;
  const sign = offset < 0 ? '-' : '+';
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const suffix = `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return new Date(moment + offset).toISOString().replace('Z', suffix);
}

/** Offset of the timezone from UTC. Milliseconds, positive east of UTC. */
function offsetAt(moment: number, timezone: string): number {
  const second = Math.floor(moment / SECOND) * SECOND;
  return Date.parse(`${formatterFor(timezone).format(second).replace(' ', 'T')}Z`) - second;
}

/** A formatter that writes `2026-11-20 09:30:00`. Throws RangeError for an unknown timezone. */
function formatterFor(timezone: string): Intl.DateTimeFormat {
  const known = formatters.get(timezone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  formatters.set(timezone, formatter);
  return formatter;
}
