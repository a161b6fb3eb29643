import { hash } from 'node:crypto';

/** Characters. An event has longer values only in `object`; `changes` has their digests. */
const MAX_VALUE_LENGTH = 1_000;

interface FieldChange {
  from: unknown;
  to: unknown;
}

/** A field's entry in an event's `changes`: under its name, or under `<field>_sha256` if a value is long. */
export function changeEntry(field: string, { from, to }: FieldChange): [string, FieldChange] {
  // Whoever had an address before is found by it.
  if (field === 'other_emails' || (!isLong(from) && !isLong(to))) return [field, { from, to }];
  return [`${field}_sha256`, { from: digest(from), to: digest(to) }];
}

/** Hex digest of the text in UTF-8. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

function isLong(value: unknown): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH && [...text].length > MAX_VALUE_LENGTH;
}

function digest(value: unknown): string | null {
  if (value === null) return null;
  return sha256(typeof value === 'string' ? value : canonical(value as object));
}

/** Canonical JSON (RFC 8785), limited to lists and maps of strings. */
function canonical(value: object): string {
  if (Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map((member) => member.map((text) => JSON.stringify(text)).join(':')).join(',')}}`;
}
