import { decimalsOf } from '../values/money.ts';
import { readCurrency } from './currency.ts';
import { conventionsOf } from './locale.ts';
import type { Reading } from './reading.ts';
import { isBlank, plainText, trimText } from './text.ts';

export interface AmountReading extends Reading<string> {
  /** The ISO 4217 code of the currency beside the number. */
  currency?: string;
  /** The currency as it is written, such as `$`, which several currencies share. */
  mark?: string;
}

/** The decimal separator. */
export type AmountStyle = '.' | ',';

const MAX_LENGTH = 60;
const NOT_AN_AMOUNT = 'This is not an amount such as 1250.00.';
/** How the warning about a number begins that may be meant in two ways. */
export const UNCLEAR = "It isn't clear whether";
const NEGATIVE = 'An amount must not be negative.';

/** A number, with what stands before and after it. The dash after a separator stands for no cents, as in `1250,-`. */
const PARTS = /^([^\d]{0,20}?)((?:\d[\d.,'’ ]*)?\d)([.,]\s?[-–—]{1,2})?([^\d]{0,20})$/u;

/** Groups of thousands. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3}|\.\d{3})+$/;
/** `/-` behind rupees: no paise follow. */
const RUPEES_ONLY = /\/\s?[-–—]{1,2}\s?$/u;

/**
 * Reads an amount, such as `1.250,00 €`, as a decimal number. Where the locale doesn't decide what a separator means, `style`
 * does: what the other amounts of the column show (see decideAmountStyle). `currency` is that of the row: yen have no decimals.
 */
export function readAmount(
  text: string,
  locale?: string,
  style?: AmountStyle,
  currency?: string,
): AmountReading {
  const plain = textOf(text)?.replace(RUPEES_ONLY, '');
  if (plain === undefined) return { warning: NOT_AN_AMOUNT };
  if (isBlank(plain)) return {};
  const [, before = '', digits = '', dash = '', after = ''] = PARTS.exec(plain) ?? [];
  const number = withCents(digits, dash);
  if (number === '') return { warning: NOT_AN_AMOUNT };
  const marks = [before, after].map(trimText);
  if (marks.some((mark) => /[-−–(]$|^[-−–)]/u.test(mark))) return { warning: NEGATIVE };
  const words = marks.map((mark) => trimText(mark.replace(/\+$/, ''))).filter((mark) => mark !== '');
  const beside = currencyOf(words, locale);
  if (beside === undefined) return { warning: NOT_AN_AMOUNT };
  const isWhole = decimalsOf(beside.currency ?? currency ?? '') === 0;
  if (isWhole && GROUPED.test(number)) return { value: number.replaceAll(/[.,]/g, ''), ...beside };
  const { value, warning } = readNumber(number, locale, style);
  if (value === undefined) return { warning: warning ?? NOT_AN_AMOUNT };
  return { value: dash === '' ? value : value.replace(/\.00$/, ''), ...beside };
}

/** Reads a number, such as `1250.5`, and the currency beside it, which may be empty. */
export function readExactAmount(number: string, mark: string, locale?: string): AmountReading {
  const [, sign, digits] = /^(-?)(\d+(?:\.\d+)?)$/.exec(number) ?? [];
  if (digits === undefined) return { warning: NOT_AN_AMOUNT };
  if (sign === '-' && /[1-9]/.test(digits)) return { warning: NEGATIVE };
  const beside = currencyOf(mark === '' ? [] : [mark], locale);
  return beside === undefined ? { warning: NOT_AN_AMOUNT } : { value: withoutZeros(digits), ...beside };
}

/** The decimal separator that these amounts of a column show, if they leave no doubt. */
export function decideAmountStyle(samples: readonly string[]): AmountStyle | undefined {
  const styles = new Set(samples.map((sample) => styleIn(sample)).filter((style) => style !== undefined));
  return styles.size === 1 ? [...styles][0] : undefined;
}

function styleIn(text: string): AmountStyle | undefined {
  const [, , number = '', dash = ''] = PARTS.exec(textOf(text) ?? '') ?? [];
  return styleOf(withCents(number, dash));
}

/** `1.250,-` has no cents, so its comma separates decimals. Swiss people also write `1'250.-` and `1.250.-`. */
function withCents(number: string, dash: string): string {
  if (dash === '') return number;
  const [group = dash.charAt(0) === ',' ? '.' : ','] = /[.,]/.exec(number) ?? [];
  return `${number}${group === '.' ? ',' : '.'}00`;
}

/** The text in ASCII, also of Arabic separators. Undefined if it is too long. */
function textOf(text: string): string | undefined {
  const trimmed = trimText(text);
  if (trimmed.length > MAX_LENGTH) return undefined;
  return plainText(trimmed).replaceAll('\u066c', '').replaceAll('\u066b', '.');
}

/** The currency that the words before and after a number name. A code wins over a symbol, as in `$100 CAD`. */
function currencyOf(
  words: readonly string[],
  locale: string | undefined,
): { currency?: string; mark?: string } | undefined {
  const codes = words.map((word) => ({ mark: word, currency: readCurrency(word, locale) }));
  if (codes.some(({ currency }) => currency === undefined)) return undefined;
  const [first, other] = codes.toSorted((a, b) => Number(isCode(b.mark)) - Number(isCode(a.mark)));
  if (first?.currency === undefined) return {};
  const isClear =
    other === undefined || other.currency === first.currency || (isCode(first.mark) && !isCode(other.mark));
  return isClear ? { currency: first.currency, mark: first.mark } : undefined;
}

function isCode(mark: string): boolean {
  return /^[a-z]{3}$/i.test(mark);
}

/** The decimal separator of a number that leaves no doubt. */
function styleOf(number: string): AmountStyle | undefined {
  const separators = number.replaceAll(/[^.,]/g, '');
  const last = separators.at(-1) as AmountStyle | undefined;
  if (last === undefined) return undefined;
  const other = last === '.' ? ',' : '.';
  if (separators.includes(other)) return last;
  // 1.250.000 groups with points, so its decimals come after a comma.
  if (separators.length > 1) return other;
  // 1,250 may be either.
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(number) ? undefined : last;
}

function readNumber(
  text: string,
  locale: string | undefined,
  style: AmountStyle | undefined,
): Reading<string> {
  const number = text.replaceAll(/(?<=\d)['’ ](?=\d{3}(?!\d))/g, '');
  if (/^\d+$/.test(number)) return { value: withoutZeros(number) };
  const separators = number.replaceAll(/\d/g, '');
  if (/[^.,]/.test(separators)) return { warning: NOT_AN_AMOUNT };
  const decimal = styleOf(number) ?? style ?? decimalBy(locale, separators.at(-1) as AmountStyle);
  if (decimal === undefined) {
    return { warning: `${UNCLEAR} ${number} has thousands or decimals.` };
  }
  const [whole = '', fraction, ...rest] = number.split(decimal);
  const group = decimal === '.' ? ',' : '.';
  const isGrouped = /^\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3}$/.test(whole);
  if (rest.length > 0 || fraction?.includes(group) || (whole.includes(group) && !isGrouped)) {
    return { warning: NOT_AN_AMOUNT };
  }
  const digits = withoutZeros(whole.replaceAll(group, ''));
  return { value: fraction === undefined ? digits : `${digits}.${fraction}` };
}

/** By the locale, only if the separator is its sign for thousands: nobody gives three decimals. */
function decimalBy(locale: string | undefined, separator: AmountStyle): AmountStyle | undefined {
  if (locale === undefined || conventionsOf(locale)?.group !== separator) return undefined;
  return separator === '.' ? ',' : '.';
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}
