import { isDeepStrictEqual } from 'node:util';

/** The fields of `wanted` that differ from `before`. Undefined fields count as unchanged (RFC 7396). */
export function differences<Wanted extends object>(before: object, wanted: Wanted): Partial<Wanted> {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before[field as keyof object]),
  );
  return Object.fromEntries(changed) as Partial<Wanted>;
}

/** Applies a merge patch to a map (RFC 7396). A null value removes its key, a null patch all keys, undefined none. */
export function mergeMap<Value>(
  before: Record<string, Value>,
  patch: Record<string, Value | null> | null | undefined,
): Record<string, Value> {
  if (patch === undefined) return before;
  if (patch === null) return {};
  const merged = Object.entries({ ...before, ...patch });
  return Object.fromEntries(merged.filter((entry): entry is [string, Value] => entry[1] !== null));
}
