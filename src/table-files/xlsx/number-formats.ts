import { readCurrency } from '../../spellings/currency.ts';
import { ExactNumber } from '../../values/exact-json.ts';
import type { Cell } from '../sheet/sheet-row.ts';

/** As Excel. */
const MAX_PATTERN = 255;
/** Days between the two calendars that workbooks have. */
const DAYS_1904 = 1_462;
const DAY = 86_400_000;
/** 1 January 1970 in days of the calendar of 1900. */
const EPOCH = 25_569;
/** 31 December 9999. */
const LAST_DAY = 2_958_465;

/** Dates and times among the formats that have a number instead of a pattern (ECMA-376, part 1, 18.8.30). */
const BUILT_IN_DATES = [
  [14, 17, 'd'],
  [18, 21, 'h'],
  [22, 22, 'd h'],
  [27, 31, 'd'],
  [32, 35, 'h'],
  [36, 36, 'd'],
  [45, 47, 'h'],
  [50, 58, 'd'],
] as const;

/** What a number means. */
type Meaning = 'number' | 'date' | 'time' | { currency: string } | { mask: string };

/**
 * Reads numbers by their value, since a format may round them, divide them or group their digits. Only these formats say
 * what a number is: dates and times, currencies, and masks such as `00000` or `(000) 000-0000`, which only place the digits
 * of a postcode or a phone number.
 */
export class NumberFormats {
  readonly #patterns: readonly string[];
  readonly #is1904: boolean;
  readonly #meanings = new Map<string, Meaning>();

  /** `patterns` has the pattern of each cell style. */
  constructor(patterns: readonly string[], is1904: boolean) {
    this.#patterns = patterns;
    this.#is1904 = is1904;
  }

  /** The number in a cell with this style. */
  read(value: string, style: number): Cell {
    const pattern = this.#patterns[style] ?? '';
    const meaning = this.#meanings.get(pattern) ?? meaningOf(pattern);
    this.#meanings.set(pattern, meaning);
    const number = exactly(value);
    if (meaning === 'number') return number;
    if (meaning === 'date' || meaning === 'time') return this.#moment(Number(value), meaning) ?? number;
    if ('currency' in meaning) return { amount: number, currency: meaning.currency };
    return masked(String(number), meaning.mask) ?? number;
  }

  /** A date in ISO 8601, or a time of day or a duration in hours. Undefined if the number is too large or negative. */
  #moment(value: number, meaning: 'date' | 'time'): string | undefined {
    const days = value + (this.#is1904 ? DAYS_1904 : 0);
    if (!(days >= 0 && days <= LAST_DAY + 1)) return undefined;
    if (meaning === 'time' || days < 1) return clock(Math.round(value * (DAY / 1_000)));
    // The calendar of 1900 has a 29 February that did not exist.
    const real = days < 60 ? days + 1 : days;
    const moment = new Date(Math.round(((real - EPOCH) * DAY) / 1000) * 1000).toISOString();
    return moment.endsWith('T00:00:00.000Z') ? moment.slice(0, 10) : moment.slice(0, 19);
  }
}

/** The pattern of a style's number format. */
export function patternOf(id: number, custom: ReadonlyMap<number, string>): string {
  const [, , builtIn = ''] = BUILT_IN_DATES.find(([first, last]) => id >= first && id <= last) ?? [];
  return custom.get(id) ?? builtIn;
}

/** What can stand in a pattern without being a placeholder: quoted, escaped, skipped or repeated, or in brackets. */
const LITERAL = /"([^"]*)"?|\\(.)|[_*].|\[\$([^\][-]*)[^\][]*\]|\[(?!h+\]|m+\]|s+\])[^\][]*\]/giu;
const PARTS = new RegExp(`${LITERAL.source}|.`, 'giu');
const CURRENCY_SIGN = /\p{Sc}/gu;
/** A digit's place in a mask. */
const PLACE = '#';

function meaningOf(pattern: string): Meaning {
  if (pattern.length > MAX_PATTERN) return 'number';
  const [positive = ''] = sectionsOf(pattern);
  const placeholders = positive.replaceAll(LITERAL, '');
  // Other letters, as in `General`, are not of dates. An `m` beside hours or seconds is a minute, and a month otherwise.
  const letters = placeholders.match(/[a-z]/gi)?.join('').toLowerCase() ?? '';
  if (/^[ymdhsgebap]*$/.test(letters)) {
    if (/[dy]/.test(letters)) return 'date';
    if (/[hs]/.test(letters)) return 'time';
    if (/m/.test(letters)) return 'date';
  }
  const literals = [...positive.matchAll(LITERAL)].map(([, ...texts]) => texts.join('')).join('');
  const currency = `${literals}${placeholders.match(CURRENCY_SIGN)?.join('') ?? ''}`.trim();
  if (currency !== '' && readCurrency(currency) !== undefined) return { currency };
  if (!/^[ ()+/-]*0[0 ()+/-]*$/.test(placeholders)) return 'number';
  const mask = positive.replaceAll(PARTS, (part, quoted = '', escaped = '') =>
    part === '0' ? PLACE : `${quoted}${escaped}` || (part.length === 1 ? part : ''),
  );
  return mask !== PLACE && /^[#\d ()+/-]+$/.test(mask) ? { mask } : 'number';
}

/** The sections for positive and negative numbers, zero and text. A semicolon may also be quoted. */
function sectionsOf(pattern: string): string[] {
  return pattern.match(/(?:"[^"]*"?|\\.|[^;"])+/gu) ?? [];
}

/** The digits in their places. Undefined unless it is a whole number. */
function masked(number: string, mask: string): string | undefined {
  if (!/^\d{1,30}$/.test(number)) return undefined;
  const places = mask.split(PLACE).length - 1;
  const digits = number.padStart(places, '0');
  let at = 0;
  return mask.replaceAll(PLACE, () => {
    const end = at + (at === 0 ? digits.length - places + 1 : 1);
    const part = digits.slice(at, end);
    at = end;
    return part;
  });
}

function clock(seconds: number): string {
  const [hours, minutes, rest] = [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  return rest === '00' ? `${hours}:${minutes}` : `${hours}:${minutes}:${rest}`;
}

/** With the 15 digits that Excel has: 0.30000000000000004 is 0.3. A whole number has all of its digits. */
function exactly(value: string): ExactNumber {
  const [, sign = '', digits] = /^(-?)0*(\d{1,30})$/.exec(value) ?? [];
  if (digits !== undefined) return new ExactNumber(`${sign}${digits}`);
  const rounded = Number(Number(value).toPrecision(15));
  const isLong = Number.isInteger(rounded) && Math.abs(rounded) < 1e21;
  return new ExactNumber(isLong ? BigInt(rounded).toString() : String(rounded));
}
