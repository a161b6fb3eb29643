import { schemas } from '../../generated/limits.ts';
import { ExactNumber, isObject, parseExactJson } from '../values/exact-json.ts';
import { jsonBytes } from '../values/json-size.ts';
import type { MetadataValue } from '../values/metadata-value.ts';
import type { Draft, GivenText } from './draft.ts';
import type { Reading } from './reading.ts';
import { isBlank, isLonger, trimText } from './text.ts';
import { readTyped } from './typed-metadata.ts';

const { maxProperties: MAX_KEYS, 'x-max-bytes': MAX_BYTES } = schemas.Metadata;
const MAX_KEY_LENGTH = 40;
const MAX_VALUE_LENGTH = 500;
const PREFIX = 'metadata.';

/** Reads `metadata`, as a whole or by its keys. A key of its own wins over the whole. */
export function readMetadata(draft: Draft): void {
  for (const field of draft.fields()) {
    const [given] = draft.textsOf(field);
    if (field.startsWith(PREFIX) && given !== undefined) add(draft, field.slice(PREFIX.length), given);
  }
  for (const { text } of draft.textsOf('metadata')) addAll(draft, text);
  if (draft.metadata.size > 0) draft.body.set('metadata', Object.fromEntries(draft.metadata));
}

function addAll(draft: Draft, text: string): void {
  const object = fromJson(text);
  if (!isObject(object) || Array.isArray(object)) {
    draft.warn('metadata', 'This is not a JSON object.', text);
    return;
  }
  for (const [key, value] of Object.entries(object)) {
    if (value === null || draft.metadata.has(key)) continue;
    const isPlain = typeof value === 'string' || value instanceof ExactNumber;
    add(draft, key, { field: PREFIX + key, value, text: isPlain ? String(value) : JSON.stringify(value) });
  }
}

function fromJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function add(draft: Draft, key: string, given: GivenText): void {
  const text = trimText(given.text);
  const field = PREFIX + key;
  if (isBlank(text)) return;
  if (key === '' || key.length > MAX_KEY_LENGTH) {
    draft.warn(field, `A key of metadata has at most ${MAX_KEY_LENGTH} characters.`, text);
  } else if (isLonger(text, MAX_VALUE_LENGTH)) {
    draft.keepAsNote(field, text, `A value of metadata has at most ${MAX_VALUE_LENGTH} characters.`);
  } else if (draft.metadata.size >= MAX_KEYS) {
    draft.warn(field, `There can be at most ${MAX_KEYS} keys in metadata.`, text);
  } else if (jsonBytes(Object.fromEntries([...draft.metadata, [key, text]])) > MAX_BYTES) {
    draft.keepAsNote(field, text, `There can be at most ${MAX_BYTES / 1024} KiB of metadata.`);
  } else {
    const { value, warning } = typed(draft, key, { ...given, text });
    if (warning !== undefined) draft.keepAsNote(field, text, warning);
    if (value !== undefined) draft.metadata.set(key, value);
  }
}

function typed({ options }: Draft, key: string, given: GivenText): Reading<MetadataValue> {
  const field = options.declared?.get(key);
  return field === undefined ? { value: given.text } : readTyped(field, given, options.locale);
}
