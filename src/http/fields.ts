import { toNullableId } from '../db/id.ts';
import type { BaseRow, PersonRow } from '../db/tables.ts';
import { mergeMap } from '../merge-patch.ts';
import { invalidField } from './problem.ts';

const MAX_METADATA = 50;

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
  const metadata = mergeMap(before, patch);
  if (Object.keys(metadata).length > MAX_METADATA) {
    throw invalidField('metadata', `must not have more than ${MAX_METADATA} keys after the change`);
  }
  return metadata;
}
