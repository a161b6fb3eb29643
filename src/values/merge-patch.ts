import { isDeepStrictEqual } from 'node:util';
import { isObject } from './exact-json.ts';

/** The fields of `wanted` that differ from `before`. Undefined fields count as unchanged (RFC 7396). */
export function differences<Wanted extends object>(before: object, wanted: Wanted): Partial<Wanted> {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before[field as keyof object]),
  );
  return Object.fromEntries(changed) as Partial<Wanted>;
}

/** A merge patch for a value of this type. */
type PatchOf<T> = T extends object ? { [Key in keyof T]?: PatchOf<T[Key]> | null } : T;

/** Applies a merge patch to nested maps (RFC 7396). A null patch removes all, undefined nothing. */
export function applyPatch<Value extends object>(
  before: Value,
  patch: PatchOf<Value> | null | undefined,
): Value {
  if (patch === undefined) return before;
  return patch === null ? ({} as Value) : (merged(before, patch) as Value);
}

function merged(before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(isObject(before) ? Object.entries(before) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, merged(result.get(key), value));
  }
  return Object.fromEntries(result);
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
