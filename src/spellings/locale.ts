import { LRUCache } from 'lru-cache';

export type DateOrder = 'day-first' | 'month-first';

/** How a language writes numbers and dates. */
interface Conventions {
  decimal: string;
  group: string;
  /** Undefined where the year comes first. */
  order: DateOrder | undefined;
  /** Between the numbers of a date. */
  dateSeparator: string;
  /** Number of the month by its names in this language, as keys (see monthKey). */
  months: ReadonlyMap<string, number>;
}

const known = new LRUCache<string, Conventions>({ max: 100 });

/** Whether Intl knows this language tag, such as `de` or `en-GB`. */
export function isLocale(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

/** The conventions of a locale. Undefined if Intl doesn't know it. */
export function conventionsOf(locale: string): Conventions | undefined {
  const found = known.get(locale) ?? (isLocale(locale) ? readConventions(locale) : undefined);
  if (found !== undefined) known.set(locale, found);
  return found;
}

function readConventions(locale: string): Conventions {
  const number = new Intl.NumberFormat(locale, { useGrouping: true, numberingSystem: 'latn' }).formatToParts(
    1234567.5,
  );
  const date = new Intl.DateTimeFormat(locale, {
    calendar: 'gregory',
    numberingSystem: 'latn',
  }).formatToParts(0);
  const order = date
    .map(({ type }) => type)
    .filter((type) => type === 'day' || type === 'month' || type === 'year');
  return {
    decimal: number.find(({ type }) => type === 'decimal')?.value ?? '.',
    group: number.find(({ type }) => type === 'group')?.value.normalize('NFKC') ?? ',',
    order: order[0] === 'day' ? 'day-first' : order[0] === 'month' ? 'month-first' : undefined,
    dateSeparator: date.find(({ type }) => type === 'literal')?.value.trim() ?? '/',
    months: monthsIn(locale),
  };
}

const MONTH_FORMATS = [
  { month: 'long' },
  { month: 'short' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
] as const;

function monthsIn(locale: string): Map<string, number> {
  const months = new Map<string, number>();
  for (const options of MONTH_FORMATS) {
    const format = new Intl.DateTimeFormat(locale, { ...options, calendar: 'gregory', timeZone: 'UTC' });
    for (let month = 0; month < 12; month += 1) {
      const parts = format.formatToParts(Date.UTC(2026, month, 1));
      const key = monthKey(parts.find(({ type }) => type === 'month')?.value ?? '');
      if (!/\d/.test(key) && !months.has(key)) months.set(key, month + 1);
    }
  }
  return months;
}

/** A month's name as a key: without case, accents and dots. */
export function monthKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{M}.]/gu, '')
    .toLowerCase();
}
