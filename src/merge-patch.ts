import { isDeepStrictEqual } from 'node:util';

/** The fields of `wanted` that differ from `before`; what is absent (undefined) stays as it is (RFC 7396). */
export function differences<Wanted extends object>(before: object, wanted: Wanted): Partial<Wanted> {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before[field as keyof object]),
  );
  return Object.fromEntries(changed) as Partial<Wanted>;
}

/** Merges values into a map: null removes one, null instead of a map removes all, undefined changes nothing (RFC 7396). */
export function mergeMap<Value>(
  before: Record<string, Value>,
  patch: Record<string, Value | null> | null | undefined,
): Record<string, Value> {
  if (patch === undefined) return before;
  if (patch === null) return {};
  const merged = Object.entries({ ...before, ...patch });
  return Object.fromEntries(merged.filter((entry): entry is [string, Value] => entry[1] !== null));
}
