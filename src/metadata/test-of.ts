import { invalidParameter } from '../problem.ts';
import { expected, type MetadataValue, valueOfText } from '../values/metadata-value.ts';
import type { MetadataFieldRow } from './tables.ts';

/** What a filter asks of a value of metadata: a range, or one of some values, or none. */
export interface MetadataTest {
  from?: MetadataValue | undefined;
  to?: MetadataValue | undefined;
  values: readonly MetadataValue[];
  /** Whether there may be no value. */
  isEmpty: boolean;
}

const NONE = 'none';
/** `80..100`, `80..` or `..100`. */
const RANGE = /^([^.]*(?:\.\d[^.]*)?)\.\.(.*)$/;

/** Reads a filter's text by the type of its key. Without a type, it is the whole value. Throws 400 for what no value can be. */
export function testOf(field: MetadataFieldRow | undefined, text: string): MetadataTest {
  if (field === undefined) return { values: [text], isEmpty: false };
  const isOrdered = field.type === 'number' || field.type === 'date';
  const [, from = '', to = ''] = (isOrdered && RANGE.exec(text)) || [];
  if (from !== '' || to !== '') {
    const bound = (each: string) => (each === '' ? undefined : valueIn(field, each));
    return { from: bound(from), to: bound(to), values: [], isEmpty: false };
  }
  const given = field.type === 'text' ? [text] : text.split(',').map((value) => value.trim());
  const values = given.filter((value) => value !== NONE);
  return { values: values.flatMap((value) => formsOf(field, value)), isEmpty: given.includes(NONE) };
}

/** The value, and while some are still texts, its text too. */
function formsOf(field: MetadataFieldRow, text: string): MetadataValue[] {
  const value = valueIn(field, text);
  return field.status === 'converting' ? [...new Set([value, text])] : [value];
}

/** An option may be gone, and still be the value of old rows. */
function valueIn(field: MetadataFieldRow, text: string): MetadataValue {
  const value = field.type === 'choice' || field.type === 'text' ? text : valueOfText(field, text);
  if (value !== undefined) return value;
  throw invalidParameter(`metadata.${field.key}`, `${expected(field)}, or none`);
}
