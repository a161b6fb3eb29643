import { schemas } from '../../generated/limits.ts';
import type { BaseRow, PersonRow } from '../db/tables.ts';
import { invalidField } from '../problem.ts';
import { distinctEmails } from '../spellings/email.ts';
import { toNullableId } from '../values/id.ts';
import { jsonBytes } from '../values/json-size.ts';
import { mergeMap } from '../values/merge-patch.ts';
import type { MetadataValue } from '../values/metadata-value.ts';

const MAX_TAGS = schemas.Tags.maxItems;
const MAX_EMAILS = schemas.OtherEmails.maxItems;
const { maxProperties: MAX_KEYS, 'x-max-bytes': MAX_BYTES } = schemas.Metadata;

/** The fields that every resource has. */
export function history(row: BaseRow) {
  return {
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The fields that leads and contacts share. */
export function personFields<Email extends string | null>(row: PersonRow<Email>) {
  return {
    name: row.name,
    email: row.email,
    other_emails: row.other_emails,
    phone: row.phone,
    company: row.company,
    tags: row.tags,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    external_id: row.external_id,
    next_step: row.next_step,
    next_step_at: row.next_step_at,
    metadata: row.metadata,
  };
}

/** Removes duplicate tags. Null yields an empty list; undefined (unchanged) stays undefined. */
export function distinct(tags: readonly string[] | null | undefined): string[] | undefined {
  return tags === undefined ? undefined : [...new Set(tags)];
}

/** How a patch changes tags: all of them, or some. */
export interface TagsPatch {
  tags?: readonly string[] | null | undefined;
  add_tags?: readonly string[] | undefined;
  remove_tags?: readonly string[] | undefined;
}

/** The tags after a patch; undefined if they stay. Throws 422 for two ways at once, and for too many tags. */
export function patchTags(
  before: readonly string[],
  { tags, add_tags: added, remove_tags: removed = [] }: TagsPatch,
): string[] | undefined {
  const isPartial = added !== undefined || removed.length > 0;
  if (!isPartial) return distinct(tags);
  if (tags !== undefined) {
    throw invalidField('tags', 'cannot be combined with add_tags and remove_tags; send either');
  }
  const gone = new Set(removed);
  const after = [...new Set([...before, ...(added ?? [])])].filter((tag) => !gone.has(tag));
  if (after.length > MAX_TAGS) {
    throw invalidField(
      'add_tags',
      `With these, there would be more than ${MAX_TAGS} tags. Remove some first.`,
    );
  }
  return after;
}

interface Emails<Email> {
  email: Email;
  other_emails: readonly string[];
}

/** The main address and the others, each once. Without a main one, the first of the others is it. */
export function emailFields<Email extends string | null>(
  main: Email,
  others: readonly string[],
): { email: Email; other_emails: string[] } {
  const [email = null, ...other_emails] = distinctEmails([main ?? [], others].flat());
  return { email: email as Email, other_emails };
}

/** All addresses, in lower case. */
export function emailsOf({ email, other_emails = [] }: Partial<Emails<string | null>>): string[] {
  return [email ?? [], other_emails].flat().map((each) => each.toLowerCase());
}

/** The addresses after a patch. A main one that was another one until now takes its place. */
export function patchEmails<Email extends string | null>(
  before: Emails<Email>,
  { email = before.email, other_emails }: { email?: Email; other_emails?: readonly string[] | null },
): { email: Email; other_emails: string[] } {
  const isNew = (other: string) => other.toLowerCase() !== email?.toLowerCase();
  const swapped = before.other_emails.map((other) => (isNew(other) ? other : (before.email ?? other)));
  return emailFields(email, other_emails === undefined ? swapped : (other_emails ?? []));
}

/** Applies a merge patch to metadata. Throws 422 if the result is too large. */
export function patchMetadata<Value extends MetadataValue>(
  before: Record<string, Value>,
  patch: Record<string, Value | null> | null | undefined,
): Record<string, Value> {
  if (patch === undefined) return before;
  const metadata = mergeMap(before, patch);
  if (Object.keys(metadata).length > MAX_KEYS) {
    throw invalidField('metadata', `must have at most ${MAX_KEYS} keys after the change`);
  }
  return checkSize('metadata', metadata, MAX_BYTES);
}

/** Returns the value of a field after a merge patch. Throws 422 if its JSON has more than `max` bytes. */
export function checkSize<Value extends object>(field: string, value: Value, max: number): Value {
  if (jsonBytes(value) <= max) return value;
  throw invalidField(field, `must have at most ${max / 1024} KiB of JSON after the change`);
}

/** The fields of a lead or contact after a merge: fills what is empty and adds tags and metadata, up to their limits. */
export function merged(before: PersonRow<string | null>, more: Partial<MergedFields>) {
  return {
    other_emails: emailFields(before.email ?? more.email ?? null, [
      ...before.other_emails,
      ...(more.other_emails ?? []),
    ]).other_emails.slice(0, MAX_EMAILS),
    phone: before.phone ?? more.phone ?? null,
    company: before.company ?? more.company ?? null,
    external_id: before.external_id ?? more.external_id ?? null,
    // A text of one and a time of the other would mean nothing.
    ...(before.next_step === null &&
      before.next_step_at === null && {
        next_step: more.next_step ?? null,
        next_step_at: more.next_step_at ?? null,
      }),
    tags: [...new Set([...before.tags, ...(more.tags ?? [])])].slice(0, MAX_TAGS),
    metadata: fillMissing(before.metadata, mergeMap({}, more.metadata)),
  };
}

interface MergedFields {
  email: string | null;
  other_emails: readonly string[] | null;
  phone: string | null;
  company: string | null;
  external_id: string | null;
  next_step: string | null;
  next_step_at: string | null;
  tags: readonly string[] | null;
  metadata: Record<string, MetadataValue | null> | null;
}

/** Adds entries of `more` whose keys are missing in `map`, skipping those that exceed the limits of metadata. */
export function fillMissing<Value>(
  map: Record<string, Value>,
  more: Record<string, Value>,
): Record<string, Value> {
  const merged = new Map(Object.entries(map));
  for (const [key, value] of Object.entries(more)) {
    if (merged.has(key) || merged.size >= MAX_KEYS) continue;
    merged.set(key, value);
    if (jsonBytes(Object.fromEntries(merged)) > MAX_BYTES) merged.delete(key);
  }
  return Object.fromEntries(merged);
}
