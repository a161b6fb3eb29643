import { ExactNumber } from '../values/exact-json.ts';
import { expected, fits, type MetadataValue, valueOfText } from '../values/metadata-value.ts';
import { readAmount, UNCLEAR } from './amount.ts';
import { readYesNo } from './choice.ts';
import { readDate } from './date.ts';
import type { GivenText } from './draft.ts';
import type { TypedKey } from './given.ts';
import type { Reading } from './reading.ts';
import { keyOf } from './text.ts';

type Given = Pick<GivenText, 'text' | 'value' | 'amountStyle' | 'dateOrder'>;

/** Reads a value of a declared key of metadata, as people write it. The warning says what it must be. */
export function readTyped(field: TypedKey, given: Given, locale?: string): Reading<MetadataValue> {
  if (field.status === 'archived') return { warning: 'The key is archived, and takes no new value.' };
  const { value, warning = `This ${expected(field)}.` } = read(field, given, locale);
  if (value === undefined || !fits(field, value)) return { warning };
  // Until all stored values fit, they are texts.
  return { value: field.is_typed ? value : String(value) };
}

function read(
  field: TypedKey,
  { text, value, amountStyle, dateOrder }: Given,
  locale: string | undefined,
): Reading<MetadataValue> {
  switch (field.type) {
    case 'number':
      return isNumber(value) ? reading(valueOfText(field, text)) : readNumber(text, locale, amountStyle);
    case 'boolean':
      return reading(readYesNo(text).value);
    case 'date':
      return readDate(text, locale, dateOrder);
    case 'choice':
      return reading(field.options?.find((option) => option === text) ?? similar(field.options ?? [], text));
    default:
      return { value: text };
  }
}

const reading = <T>(value: T | undefined): Reading<T> => (value === undefined ? {} : { value });

/** A number means itself. Only people's texts depend on the locale. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof ExactNumber;
}

function readNumber(text: string, locale: string | undefined, style: Given['amountStyle']): Reading<number> {
  const [, sign = '', digits = ''] = /^\s*([-\u2212+]?)(.*)$/su.exec(text) ?? [];
  const { value, warning } = readAmount(digits, locale, style);
  // What else is wrong about an amount is not wrong about a number.
  if (value === undefined) return warning?.startsWith(UNCLEAR) ? { warning } : {};
  return { value: sign === '' || sign === '+' ? Number(value) : -Number(value) };
}

/** An option that differs in upper and lower case only. */
function similar(options: readonly string[], text: string): string | undefined {
  return options.find((option) => keyOf(option) === keyOf(text));
}
