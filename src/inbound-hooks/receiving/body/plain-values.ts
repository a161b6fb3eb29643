import { isObject } from '../../../values/exact-json.ts';

/** Maximum nesting of objects and lists. Generous: only a stack overflow must be impossible. */
const MAX_DEPTH = 100;

/** Lone surrogates and NUL, which neither PostgreSQL nor other readers of JSON accept. */
const UNUSABLE = /\p{Surrogate}|\0/gu;

/** The number of members that all objects and lists have together, or infinity if they are nested too deeply. */
export function countValues(value: unknown, max: number, depth = 1): number {
  if (!isObject(value)) return 0;
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
  const members = Object.values(value);
  let count = members.length;
  for (const member of members) {
    if (count > max) break;
    count += countValues(member, max - count, depth + 1);
  }
  return count;
}

/** The value without characters that can't be stored. They must not cost a lead. */
export function withoutUnusable(value: unknown): unknown {
  if (typeof value === 'string') return cleaned(value);
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map(withoutUnusable);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [cleaned(key), withoutUnusable(member)]),
  );
}

function cleaned(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.replaceAll(UNUSABLE, '');
}
