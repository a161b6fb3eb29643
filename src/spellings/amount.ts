import { readCurrency } from './currency.ts';
import { conventionsOf } from './locale.ts';
import type { Reading } from './reading.ts';
import { isBlank, plainText, trimText } from './text.ts';

interface AmountReading extends Reading<string> {
  /** The ISO 4217 code that stands beside the number. */
  currency?: string;
}

/** The decimal separator. */
export type AmountStyle = '.' | ',';

const MAX_LENGTH = 60;

/** A number, with what stands before and after it. */
const PARTS = /^([^\d]{0,20}?)\s*([-−–+]?)\s*((?:\d[\d.,'’ ]*)?\d)(?:[.,]\s?[-–—]{1,2})?\s*([^\d]{0,20})$/u;
const PLAIN = /^\d+$/;

/**
 * Reads an amount, such as `1.250,00 €`, as a decimal number. Where the locale doesn't decide what a separator means, `style`
 * does: what the other amounts of the column show (see decideAmountStyle).
 */
export function readAmount(text: string, locale?: string, style?: AmountStyle): AmountReading {
  if (text.length > MAX_LENGTH && trimText(text).length > MAX_LENGTH)
    return { warning: 'This text is too long for an amount.' };
  const plain = trimText(plainText(text));
  if (isBlank(plain)) return {};
  const [, before = '', sign = '', number = '', after = ''] = PARTS.exec(plain) ?? [];
  if (number === '') return { warning: NOT_AN_AMOUNT };
  if (sign !== '' && sign !== '+') return { warning: 'An amount must not be negative.' };
  const mark = [before, after].map(trimText).filter((part) => part !== '');
  const codes = new Set(mark.map((part) => readCurrency(part, locale)));
  if (codes.has(undefined) || codes.size > 1) {
    return {
      warning:
        before.includes('(') || before.includes('-') ? 'An amount must not be negative.' : NOT_AN_AMOUNT,
    };
  }
  const [currency] = codes;
  const { value, warning } = readNumber(number, locale, style);
  return {
    ...(value !== undefined && { value }),
    ...(warning !== undefined && { warning }),
    ...(currency !== undefined && { currency }),
  };
}

const NOT_AN_AMOUNT = 'This is not an amount such as 1250.00.';

/** The decimal separator that this column uses, if its amounts leave no doubt. */
export function decideAmountStyle(samples: readonly string[]): AmountStyle | undefined {
  const styles = new Set(samples.map((sample) => styleOf(sample)).filter((style) => style !== undefined));
  return styles.size === 1 ? [...styles][0] : undefined;
}

function styleOf(text: string): AmountStyle | undefined {
  const [, , , number = ''] = PARTS.exec(trimText(plainText(text.slice(0, MAX_LENGTH)))) ?? [];
  const separators = number.replaceAll(/[^.,]/g, '');
  const last = separators.at(-1) as AmountStyle | undefined;
  if (last === undefined) return undefined;
  const other = last === '.' ? ',' : '.';
  if (separators.includes(other)) return last;
  // 1.250.000 groups with points, so its decimals come after a comma.
  if (separators.length > 1) return other;
  return isGroupLike(number) ? undefined : last;
}

/** Whether a single separator may stand for thousands, as in 1,250 and 12.500. */
function isGroupLike(number: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(number);
}

function readNumber(
  text: string,
  locale: string | undefined,
  style: AmountStyle | undefined,
): Reading<string> {
  const number = text.replaceAll(/(?<=\d)['’ ](?=\d{3}(?!\d))/g, '');
  if (PLAIN.test(number)) return { value: withoutZeros(number) };
  const separators = number.replaceAll(/\d/g, '');
  if (/[^.,]/.test(separators)) return { warning: NOT_AN_AMOUNT };
  const last = separators.at(-1) as AmountStyle;
  const decimal = styleOf(number) ?? style ?? decimalOf(last, locale);
  if (decimal === undefined) {
    return { warning: `It isn't clear whether ${number} has thousands or decimals.` };
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
function decimalOf(separator: AmountStyle, locale: string | undefined): AmountStyle | undefined {
  if (locale === undefined || conventionsOf(locale)?.group !== separator) return undefined;
  return separator === '.' ? ',' : '.';
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}
