import type { Schema } from '../../operation.ts';
import { ExactNumber, isObject, toPlainText } from '../../values/exact-json.ts';
import { parsePointer, valueAt } from '../../values/json-pointer.ts';
import { isMoney } from '../../values/money.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { Effort } from './effort.ts';
import { findLocations } from './json-path.ts';

type Rule = Schema<'MappingRule'>;
type Part = Schema<'MappingPart'>;

/** Maximum values that a JSONPath finds. */
const MAX_VALUES = 20;

/** Finds what a rule points to, in order of preference. Leaves out what is empty. Throws TooMuchEffort. */
export function evaluate(rule: Rule, read: Read, effort: Effort): unknown[] {
  const parts = Array.isArray(rule) ? rule : [rule];
  return parts.flatMap((part) => evaluatePart(part, read, effort));
}

function evaluatePart(part: Part, read: Read, effort: Effort): unknown[] {
  if (typeof part === 'string') return findFilled(part, read, effort);
  const found = part.path === undefined ? join(part, read, effort) : findFilled(part.path, read, effort);
  return found.length === 0 && part.default !== undefined ? [part.default] : found;
}

/** The first text of each path as one text. */
function join(
  { join: paths = [], with: separator = ' ' }: Exclude<Part, string>,
  read: Read,
  effort: Effort,
) {
  const textOf = (value: unknown) => (value instanceof ExactNumber ? toPlainText(value) : toText(value));
  const texts = paths.flatMap((path) => findFilled(path, read, effort).slice(0, 1).map(textOf));
  return texts.length === 0 ? [] : [texts.join(separator)];
}

/** The values at a path that are not empty. */
function findFilled(path: string, { payload, plain }: Read, effort: Effort): unknown[] {
  if (path.startsWith('/')) return [valueIn(payload, parsePointer(path))].filter((value) => !isEmpty(value));
  const values: unknown[] = [];
  for (const location of findLocations(path, plain, effort)) {
    values.push(valueIn(payload, location));
    if (values.length === MAX_VALUES) break;
  }
  return values.filter((value) => !isEmpty(value));
}

/** The value there. The amount in an object that a request could have as a `value` is a number. */
function valueIn(payload: unknown, location: readonly (string | number)[]): unknown {
  const value = valueAt(location, payload);
  const isAmount = location.at(-1) === 'amount' && isMoney(valueAt(location.slice(0, -1), payload));
  return isAmount ? new ExactNumber(String(value)) : value;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return isObject(value) && Object.values(value).every(isEmpty);
}

/** A value as one text. The members of a list are separated by commas. */
export function toText(value: unknown): string {
  if (Array.isArray(value)) {
    return value
      .filter((member) => !isEmpty(member))
      .map(toText)
      .join(', ');
  }
  return isObject(value) ? JSON.stringify(value) : String(value ?? '').trim();
}
