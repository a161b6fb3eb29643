import { LRUCache } from 'lru-cache';

const DAY = 86_400_000;

/** Making a clock takes longer than a thousand looks at it. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** The contract's format `timezone`: a name of the IANA database, and not an offset, which Intl takes too. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The day that the clocks of the timezone show at this moment: `2026-11-20`. */
export function dayAt(moment: number, timezone: string): string {
  return new Date(moment + offsetAt(moment, timezone)).toISOString().slice(0, 10);
}

/**
 * The first moment at which the clocks of the timezone show midnight of this day or later. Where they are put back over
 * midnight that is the first of its two midnights; where they are put forward over it, the moment when they are.
 */
export function beginOfDay(day: string, timezone: string): number {
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

/** RFC 3339 in the time of the timezone, or in UTC where its offset is not one of whole minutes, as in its early days. */
export function toLocalTime(moment: number, timezone: string): string {
  const offset = offsetAt(moment, timezone);
  if (offset % 60_000 !== 0) return new Date(moment).toISOString();
  const minutes = Math.abs(offset) / 60_000;
  const sign = offset < 0 ? '-' : '+';
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const written = `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return new Date(moment + offset).toISOString().replace('Z', written);
}

/** Milliseconds that the timezone's clocks are ahead of UTC. */
function offsetAt(moment: number, timezone: string): number {
  const second = Math.floor(moment / 1000) * 1000;
  return Date.parse(`${clockOf(timezone).format(second).replace(' ', 'T')}Z`) - second;
}

/** Writes `2026-11-20 09:30:00`. Throws for a name that is unknown. */
function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  clocks.set(timezone, clock);
  return clock;
}
