import { InvalidArgumentError } from 'commander';
import { isDate, isInstantOrDate, startOf } from '../values/instant-or-date.ts';
import { DAY } from '../values/time.ts';

export function parseInteger({ maximum }: { maximum: number }): (text: string) => number {
  return (text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) <= maximum) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${maximum}.`);
  };
}

export function parseExpiry(text: string): Date {
  const isDays = /^[1-9]\d{0,3}$/.test(text);
  const isInstant = !isDate(text) && isInstantOrDate(text);
  const date = new Date(isDays ? Date.now() + Number(text) * DAY : isInstant ? startOf(text) : Number.NaN);
  if (!Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError(
    'Expected a number of days (1 to 9999) or a timestamp such as 2030-01-31T00:00:00Z.',
  );
}
