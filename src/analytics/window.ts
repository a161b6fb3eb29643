import type { Schema } from '../operation.ts';
import { invalidParameter } from '../problem.ts';
import { mapInSlices } from '../values/slices.ts';
import { DAY } from '../values/time.ts';
import { localDate, startOfDay } from '../values/timezone.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 1_100;
const FIRST_DAY = '1970-01-01';
const LAST_DAY = '9998-12-31';

/** A range of days in a timezone. */
export interface Window {
  from: string;
  to: string;
  timezone: string;
  /** Milliseconds since 1970, inclusive. */
  begin: number;
  /** Milliseconds since 1970, exclusive. */
  end: number;
}

type Interval = 'day' | 'week' | 'month';

interface WindowQuery {
  from?: string;
  to?: string;
  timezone?: string;
}

/** The requested window, by default the last 30 days. Throws 400 for an invalid one. */
export function windowOf({ from, to, timezone = 'UTC' }: WindowQuery, now: number): Window {
  const last = to ?? localDate(now, timezone);
  const first = from ?? defaultFirst(last);
  for (const [name, day] of Object.entries({ to: last, from: first })) {
    if (day < FIRST_DAY || day > LAST_DAY) {
      throw invalidParameter(name, `must be from ${FIRST_DAY} to ${LAST_DAY}`);
    }
  }
  if (first > last) throw invalidParameter('from', `must not be later than to (${last})`);
  if (daysOf(first, last) > MAX_DAYS) {
    throw invalidParameter(
      'from',
      `is too early: a period has at most ${MAX_DAYS} days, and this one ends on ${last}`,
    );
  }
  const window = between(first, last, timezone);
  if (window.begin === window.end) {
    throw invalidParameter('from', `does not exist in ${timezone}: the time zone skipped that day`);
  }
  return window;
}

function defaultFirst(last: string): string {
  const first = addDays(last, 1 - DEFAULT_DAYS);
  return last >= FIRST_DAY && first < FIRST_DAY ? FIRST_DAY : first;
}

/** The preceding window of the same length. Goes further back if the time zone skipped all of its days. */
export function windowBefore({ from, to, timezone }: Window): Window {
  const before = between(addDays(from, -daysOf(from, to)), addDays(from, -1), timezone);
  return before.begin < before.end ? before : windowBefore(before);
}

/** The periods of the window. The first and the last may be partial. */
export async function periodsOf({ from, to, timezone }: Window, interval: Interval): Promise<Window[]> {
  const firstDays: string[] = [];
  for (let first = from; first <= to; first = nextPeriod(first, interval)) firstDays.push(first);
  const periods = await mapInSlices(firstDays, (first) => {
    const last = addDays(nextPeriod(first, interval), -1);
    return between(first, last < to ? last : to, timezone);
  });
  return periods.filter(({ begin, end }) => begin < end);
}

export function metaOf({ from, to, timezone }: Window, now: number): Schema<'AnalyticsMeta'> {
  return { from, to, timezone, generated_at: new Date(now).toISOString() };
}

function between(from: string, to: string, timezone: string): Window {
  return {
    from,
    to,
    timezone,
    begin: startOfDay(from, timezone),
    end: startOfDay(addDays(to, 1), timezone),
  };
}

/** The first day of the period after the one that contains the day. Weeks start on Monday (ISO 8601). */
function nextPeriod(day: string, interval: Interval): string {
  if (interval === 'day') return addDays(day, 1);
  if (interval === 'week') return addDays(day, 7 - ((new Date(day).getUTCDay() + 6) % 7));
  const [year, month] = day.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** `2026-12` and 1 → `2027-01` */
export function addMonths(month: string, months: number): string {
  const date = new Date(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

function daysOf(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY + 1;
}
