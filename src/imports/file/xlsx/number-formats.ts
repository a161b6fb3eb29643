import { format, getFormatDateInfo, getFormatFromId, isDateFormat, isPercentFormat } from 'numfmt';

/** As Excel. A longer pattern takes long. */
const MAX_PATTERN = 255;
/** Days between the two calendars that workbooks have. */
const DAYS_1904 = 1_462;
const DAY = 86_400_000;
/** 1 January 1970 in days of the calendar of 1900. */
const EPOCH = 25_569;
/** 31 December 9999. */
const LAST_DAY = 2_958_465;

/** Shows numbers as the sheet does: dates as ISO 8601, other numbers with their format, but with all of their digits. */
export class NumberFormats {
  readonly #patterns: readonly string[];
  readonly #is1904: boolean;
  readonly #show = new Map<string, (value: string) => string>();

  /** `patterns` has the pattern of each cell style. */
  constructor(patterns: readonly string[], is1904: boolean) {
    this.#patterns = patterns;
    this.#is1904 = is1904;
  }

  /** The text of a number in a cell with this style. */
  show(value: string, style: number): string {
    const pattern = this.#patterns[style] ?? 'General';
    let show = this.#show.get(pattern);
    if (show === undefined) {
      show = this.#showBy(pattern);
      this.#show.set(pattern, show);
    }
    return show(value);
  }

  #showBy(pattern: string): (value: string) => string {
    if (pattern === 'General' || pattern.length > MAX_PATTERN) return plainNumber;
    try {
      if (isDateFormat(pattern)) return (value) => this.#showDate(value, pattern);
      const shown = isPercentFormat(pattern) ? pattern : withoutGroups(pattern);
      if (/E[+-]|\?\s*\/|\.[0#?]{3,}/i.test(unquoted(shown))) return plainNumber;
      format(shown, 1);
      return (value) => format(shown, Number(value)).trim();
    } catch {
      return plainNumber;
    }
  }

  #showDate(value: string, pattern: string): string {
    const { year, month, day } = getFormatDateInfo(pattern);
    const days = Number(value) + (this.#is1904 ? DAYS_1904 : 0);
    if (!(days >= 0 && days <= LAST_DAY + 1)) return plainNumber(value);
    if (!(year || month || day) || days < 1) return format(pattern, Number(value)).trim();
    // The calendar of 1900 has a 29 February that did not exist.
    const real = days < 60 ? days + 1 : days;
    const moment = new Date(Math.round(((real - EPOCH) * DAY) / 1000) * 1000).toISOString();
    return moment.endsWith('T00:00:00.000Z') ? moment.slice(0, 10) : moment.slice(0, 19);
  }
}

/** The pattern of a style's number format. */
export function patternOf(id: number, custom: ReadonlyMap<number, string>): string {
  const pattern = custom.get(id) ?? getFormatFromId(id);
  return typeof pattern === 'string' ? pattern : 'General';
}

/** Without an exponent, and with the 15 digits that Excel has: 0.30000000000000004 is 0.3. */
function plainNumber(value: string): string {
  if (/^-?\d{1,30}$/.test(value)) return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const rounded = Number(number.toPrecision(15));
  return Number.isInteger(rounded) && Math.abs(rounded) < 1e21 ? BigInt(rounded).toString() : String(rounded);
}

/**
 * The pattern without separators of thousands, which mean something else in other languages: 1,250 would be 1.25 in German.
 * Currencies stay, but don't change the decimal separator.
 */
function withoutGroups(pattern: string): string {
  return pattern
    .replaceAll(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, symbol: string) => (symbol === '' ? '' : `"${symbol}"`))
    .split('"')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/(?<!\\),/g, '') : part))
    .join('"');
}

function unquoted(pattern: string): string {
  return pattern.replaceAll(/"[^"]*"|\\./g, '');
}
