import { Problem } from '../problem.ts';
import { mergeMap } from '../values/merge-patch.ts';
import type { MetadataValue } from '../values/metadata-value.ts';
import { patchTags, type TagsPatch } from './fields.ts';

interface Patch extends TagsPatch {
  metadata?: Record<string, MetadataValue | null> | null;
}

/**
 * The body for creating the resource: the merge patch applied to an empty object (RFC 7396), with this external id.
 * Throws 412 if If-Match expects that it exists (RFC 9110 section 13.1.1).
 */
export function newFields(headers: { 'if-match'?: string }, externalId: string, patch: Patch): object {
  if (headers['if-match'] !== undefined) {
    const message = "If-Match can't be used here: nothing has this external_id yet.";
    throw new Problem('version_mismatch', message);
  }
  return { ...appliedToNothing(patch), external_id: externalId };
}

/** The fields that a merge patch gives to what does not exist yet (RFC 7396). */
export function appliedToNothing({ metadata, tags, add_tags, remove_tags, ...fields }: Patch): object {
  const tagged = patchTags([], { tags, add_tags, remove_tags });
  // Users have no tags.
  return { ...mergeMap({}, fields), metadata: mergeMap({}, metadata), ...(tagged && { tags: tagged }) };
}
