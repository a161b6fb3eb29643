import { isObject } from '../values/exact-json.ts';
import type { GivenField, Translation, Values } from './given.ts';
import { keyOf } from './text.ts';

/** Options are compared for each row, and prepared once. */
const prepared = new WeakMap<Values, ReadonlyMap<string, ReadonlyMap<string, Translation>>>();

export function translate(given: readonly GivenField[], values: Values | undefined): readonly GivenField[] {
  if (values === undefined) return given;
  const tables = prepared.get(values) ?? prepare(values);
  prepared.set(values, tables);
  return given.flatMap((entry) => {
    if (entry.value === null || isObject(entry.value)) return [entry];
    const found = tables.get(entry.field)?.get(keyOf(String(entry.value)));
    if (found === undefined) return [entry];
    if (typeof found === 'string') return [{ ...entry, value: found }];
    return Object.entries(found).map(([field, value]) => ({ field, value }));
  });
}

function prepare(values: Values): Map<string, Map<string, Translation>> {
  return new Map(
    Object.entries(values).map(([field, table]) => [
      field,
      new Map(Object.entries(table).map(([text, translation]) => [keyOf(text), translation])),
    ]),
  );
}
