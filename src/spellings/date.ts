import { isDate } from '../values/instant-or-date.ts';
import { conventionsOf, type DateOrder, monthKey } from './locale.ts';
import type { Reading } from './reading.ts';
import { isBlank, plainText, trimText } from './text.ts';

const MAX_LENGTH = 60;

const TIME =
  /[T\s,]\s{0,3}(?:(?:at|um|à)\s)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([ap]\.?m\.?|uhr|h)?\s?(Z|(?:UTC|GMT)?[+-]\d{2}:?(?:\d{2})?|UTC|GMT)?$/iu;
/** A time zone's name behind the offset, as JavaScript and Java write it. */
const ZONE_NAME = /(?:\[[\w/+-]{1,40}\]|\s?\([\p{L}][\p{L} .+-]{1,60}\))$/u;
/** Such as 20260131T100000Z. */
const COMPACT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?$/;
const YEAR_FIRST = /^(\d{4})([-/.年년]\s?)(\d{1,2})(?:\2|[月월])\s?(\d{1,2})[.日일]?$/u;
const BASIC = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.]\s?|\s)(\d{1,2})\2(\d{4})$/;
const SHORT = /^\d{1,2}[-/. ]\s?\d{1,2}[-/. ]\s?\d{2}$/;

const SHORT_YEAR = 'The year of a date needs four digits.';
const NOT_A_DATE = 'This is not a date such as 2027-01-31.';

/**
 * Reads a date in a usual spelling. Where the locale doesn't decide between day and month, `order` does: what the other dates
 * of the column show (see decideDateOrder).
 */
export function readDate(text: string, locale?: string, order?: DateOrder): Reading<string> {
  const plain = readable(text);
  if (plain === undefined) return { warning: NOT_A_DATE };
  if (isBlank(plain)) return {};
  return readDay(plain.replace(TIME, ''), locale, order);
}

/** Reads a moment. A time without an offset is in UTC, and a date begins at midnight UTC. */
export function readInstant(text: string, locale?: string, order?: DateOrder): Reading<string> {
  const plain = readable(text);
  if (plain === undefined) return { warning: NOT_A_DATE };
  if (isBlank(plain)) return {};
  if (/^\d{13}$/.test(plain)) return { value: new Date(Number(plain)).toISOString() };
  if (/^\d{10}$/.test(plain)) return { value: new Date(Number(plain) * 1_000).toISOString() };
  const time = TIME.exec(plain);
  const { value: day, warning = NOT_A_DATE } = readDay(plain.replace(TIME, ''), locale, order);
  if (day === undefined) return { warning };
  const moment = Date.parse(`${day}T${time === null ? '00:00:00Z' : clockOf(time)}`);
  return Number.isNaN(moment) ? { warning: NOT_A_DATE } : { value: new Date(moment).toISOString() };
}

/** The order of day and month in this column, if its dates leave no doubt. */
export function decideDateOrder(samples: readonly string[]): DateOrder | undefined {
  const orders = new Set(samples.map((sample) => orderOf(sample)).filter((order) => order !== undefined));
  return orders.size === 1 ? [...orders][0] : undefined;
}

function orderOf(text: string): DateOrder | undefined {
  const [, first, , second] = YEAR_LAST.exec((readable(text) ?? '').replace(TIME, '')) ?? [];
  if (Number(first) > 12 && Number(second) <= 12) return 'day-first';
  return Number(second) > 12 && Number(first) <= 12 ? 'month-first' : undefined;
}

function readable(text: string): string | undefined {
  const trimmed = trimText(text);
  if (trimmed.length > MAX_LENGTH) return undefined;
  return plainText(trimmed)
    .replace(ZONE_NAME, '')
    .replace(COMPACT, (_, year, month, day, hour, minute, second = '00', zone = '') => {
      return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
    });
}

/** RFC 3339 from the parts of TIME. */
function clockOf([, hour = '', minute, second = '00', fraction = '0', half, zone = 'Z']: readonly (
  | string
  | undefined
)[]): string {
  const isAfternoon = /^p/i.test(half ?? '');
  const hours = !/^[ap]/i.test(half ?? '') ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  const [sign] = /[+-]/.exec(zone) ?? [];
  const digits = zone.replaceAll(/[^\d]/g, '').padEnd(4, '0');
  const offset =
    digits === '0000' || sign === undefined ? 'Z' : `${sign}${digits.slice(0, 2)}:${digits.slice(2)}`;
  return `${String(hours).padStart(2, '0')}:${minute}:${second}.${fraction.slice(0, 3)}${offset}`;
}

function readDay(text: string, locale: string | undefined, order: DateOrder | undefined): Reading<string> {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return toDate(year, month, day);
  const [, ...basic] = BASIC.exec(text) ?? [];
  if (basic.length > 0) return toDate(...basic);
  const numbers = YEAR_LAST.exec(text);
  if (numbers !== null) return fromNumbers(numbers, locale, order);
  return SHORT.test(text) ? { warning: SHORT_YEAR } : fromMonthName(text, locale);
}

function toDate(year?: string, month?: string, day?: string): Reading<string> {
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  return isDate(date) ? { value: date } : { warning: 'There is no such day.' };
}

function fromNumbers(
  [, first = '', separator = '', second = '', year]: RegExpExecArray,
  locale: string | undefined,
  given: DateOrder | undefined,
): Reading<string> {
  const shown = orderOf(`${first}/${second}/${year}`);
  const own = locale === undefined ? undefined : conventionsOf(locale);
  const expected = given ?? own?.order;
  if (shown !== undefined && expected !== undefined && shown !== expected) {
    const [own, others] = shown === 'day-first' ? ['day', 'month'] : ['month', 'day'];
    return {
      warning: `This date has the ${own} first, but the locale or the other dates have the ${others} first.`,
    };
  }
  const order = shown ?? given ?? (own?.dateSeparator === separator.trim() ? own.order : undefined);
  if (order === undefined) return { warning: "It isn't clear which number is the day and which the month." };
  return order === 'day-first' ? toDate(year, second, first) : toDate(year, first, second);
}

/** Such as `31-Jan-2027`, `Jan 31st, 2027` and `31 de enero de 2027`. */
function fromMonthName(text: string, locale: string | undefined): Reading<string> {
  const numbers = text.match(/\d+/g) ?? [];
  const month = monthIn(text, locale);
  if (numbers.length !== 2 || month === undefined) return { warning: NOT_A_DATE };
  const year = numbers.find((number) => number.length === 4);
  const day = numbers.find((number) => number.length <= 2);
  if (year === undefined || day === undefined) return { warning: SHORT_YEAR };
  return toDate(year, String(month), day);
}

/** Whose names of months are known without a locale. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da'];

/** The month that the text names in the locale, or else in any of the languages, if it is only one. */
function monthIn(text: string, locale: string | undefined): number | undefined {
  const words = text.match(/\p{L}[\p{L}\p{M}.]*/gu)?.map(monthKey) ?? [];
  const own = locale === undefined ? [] : monthsIn(words, [locale]);
  const found = own.length > 0 ? own : monthsIn(words, LANGUAGES);
  return found.length === 1 ? found[0] : undefined;
}

function monthsIn(words: readonly string[], languages: readonly string[]): number[] {
  const months = languages.flatMap((language) =>
    words.map((word) => conventionsOf(language)?.months.get(word)),
  );
  return [...new Set(months.filter((month) => month !== undefined))];
}
