import { hash } from 'node:crypto';

/** A longer value stands in an event once, in `object`; what changed is told by digests. */
const MAX_TOLD = 1_000;

interface Told {
  from: unknown;
  to: unknown;
}

/** The change of a field as an event tells it: under the field's name, or as `<field>_sha256` where a value is long. */
export function toldAs(field: string, { from, to }: Told): [string, Told] {
  if (!isLong(from) && !isLong(to)) return [field, { from, to }];
  return [`${field}_sha256`, { from: digest(from), to: digest(to) }];
}

/** Of the text in UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

function isLong(value: unknown): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_TOLD && [...text].length > MAX_TOLD;
}

function digest(value: unknown): string | null {
  if (value === null) return null;
  return sha256(typeof value === 'string' ? value : canonical(value as object));
}

/** RFC 8785, as far as a list of texts and a map of texts need it. */
function canonical(value: object): string {
  if (Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map((member) => member.map((text) => JSON.stringify(text)).join(':')).join(',')}}`;
}
