import { toNullableId } from '../db/id.ts';
import type { BaseRow, PersonRow } from '../db/tables.ts';
import { bytesOf } from '../json-size.ts';
import { mergeMap } from '../merge-patch.ts';
import { invalidField } from './problem.ts';

/** Of a map that is stored. */
const MAX_KEYS = 50;
/** Bytes that the metadata of a resource, or the mapping of a hook, may have as JSON; `x-max-bytes` in the contract. */
const MAX_JSON = 16_384;

/** The fields that every resource ends with. */
export function history(row: BaseRow) {
  return {
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    version: row.version,
  };
}

/** What leads and contacts tell of a person. */
export function person<Email extends string | null>(row: PersonRow<Email>) {
  return {
    name: row.name,
    email: row.email,
    phone: row.phone,
    company: row.company,
    tags: row.tags,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    external_id: row.external_id,
    metadata: row.metadata,
  };
}

/** Tags without repeats; null removes all, undefined changes nothing. */
export function distinct(tags: readonly string[] | null | undefined): string[] | undefined {
  return tags === undefined ? undefined : [...new Set(tags)];
}

/** The metadata after a merge patch. Throws 422 when it has grown too large. */
export function patchedMetadata(
  before: Record<string, string>,
  patch: Record<string, string | null> | null | undefined,
): Record<string, string> {
  if (patch === undefined) return before;
  const metadata = mergeMap(before, patch);
  if (Object.keys(metadata).length > MAX_KEYS) {
    throw invalidField('metadata', `must have at most ${MAX_KEYS} keys after the change`);
  }
  return checkSize('metadata', metadata);
}

/** The value of a field after a merge patch. Throws 422 when its JSON has grown too large. */
export function checkSize<Value extends object>(field: string, value: Value): Value {
  if (fits(value)) return value;
  throw invalidField(field, `must have at most ${MAX_JSON / 1024} KiB of JSON after the change`);
}

/** The map with as much of the other one as it has nothing for and has room for. */
export function filled<Value>(
  map: Record<string, Value>,
  more: Record<string, Value>,
): Record<string, Value> {
  const merged = new Map(Object.entries(map));
  for (const [key, value] of Object.entries(more)) {
    if (merged.has(key) || merged.size >= MAX_KEYS) continue;
    merged.set(key, value);
    if (!fits(Object.fromEntries(merged))) merged.delete(key);
  }
  return Object.fromEntries(merged);
}

function fits(value: object): boolean {
  return bytesOf(value) <= MAX_JSON;
}
