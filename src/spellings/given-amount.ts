import { ExactNumber, isObject, parseExactJson } from '../values/exact-json.ts';
import { isMoney } from '../values/money.ts';
import { type AmountReading, readAmount, readExactAmount } from './amount.ts';
import { toText } from './draft.ts';
import type { GivenField } from './given.ts';

/**
 * Reads an amount of any kind. A number means itself, and so does an object that a request could have as a `value`: only
 * people's texts depend on the locale.
 */
export function readGivenAmount(
  { value, amountStyle }: Pick<GivenField, 'value' | 'amountStyle'>,
  locale?: string,
  inCurrency?: string,
): AmountReading {
  const object = objectIn(value);
  const { amount = value, currency } = Object(object);
  const mark = toText(currency) ?? '';
  const text = toText(amount) ?? '';
  const isExact = typeof amount === 'number' || amount instanceof ExactNumber || isMoney(object);
  return isExact
    ? readExactAmount(text, mark, locale)
    : readAmount(`${text} ${mark}`.trim(), locale, amountStyle, inCurrency);
}

/** An object with an amount, also as JSON. */
function objectIn(value: unknown): object | undefined {
  if (typeof value === 'string') {
    if (!value.trimStart().startsWith('{')) return undefined;
    try {
      return objectIn(parseExactJson(value));
    } catch {
      return undefined;
    }
  }
  return isObject(value) && 'amount' in value ? value : undefined;
}
