import { isDate } from './instant-or-date.ts';

/** A value of metadata. */
export type MetadataValue = string | number | boolean;

/** What the values of a declared key are. */
export interface ValueType {
  type: 'text' | 'number' | 'boolean' | 'date' | 'choice';
  /** Of a choice. */
  options: readonly string[] | null;
}

/** Digits of a number that a double keeps. */
const MAX_DIGITS = 15;

/** What a value of the type must be. */
export function expected({ type, options }: ValueType): string {
  const phrases: Record<ValueType['type'], string> = {
    text: 'must be a text other than none',
    number: `must be a number of at most ${MAX_DIGITS} digits, such as 80 or 1.5`,
    boolean: 'must be true or false',
    date: 'must be a date such as 2026-11-20',
    choice: `must be one of ${options?.join(', ')}`,
  };
  return phrases[type];
}

/** Whether a JSON value fits the type exactly. */
export function fits({ type, options }: ValueType, value: unknown): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number' && isExact(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && isDate(value);
    case 'choice':
      return typeof value === 'string' && options?.includes(value) === true;
    default:
      return typeof value === 'string' && value !== 'none';
  }
}

function isExact(value: number): boolean {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return digits.replace(/\D/g, '').length <= MAX_DIGITS && Math.abs(Number(exponent)) < MAX_DIGITS;
}

/** The value of a text in the contract's form, if it fits. */
export function valueOfText(field: ValueType, text: string): MetadataValue | undefined {
  const value = parse(field.type, text);
  return value !== undefined && fits(field, value) ? value : undefined;
}

function parse(type: ValueType['type'], text: string): MetadataValue | undefined {
  if (type === 'number') {
    const digits = /^-?(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text);
    if (digits === null) return undefined;
    const significant = `${digits[1]}${digits[2] ?? ''}`.replace(/^0+/, '');
    return significant.length > MAX_DIGITS ? undefined : Number(text);
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}
