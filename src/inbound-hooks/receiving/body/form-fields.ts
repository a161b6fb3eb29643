import { decodeField, knownCharset } from './charset.ts';

/** A field of a form as it came. */
export interface RawField {
  name: Uint8Array;
  value: Uint8Array;
  /** That the field itself names. */
  charset?: string | undefined;
}

/** The field in which browsers say how the form is encoded (https://html.spec.whatwg.org/#attr-fe-name-charset). */
const CHARSET_FIELD = '_charset_';

/**
 * The fields as an object. A repeated field becomes a list, and an empty one is left out. `charset` is that of the
 * Content-Type.
 */
export function gatherFields(
  fields: readonly RawField[],
  charset: string | undefined,
): Record<string, unknown> {
  const gathered = new Map<string, string | string[]>();
  const common = (charset && knownCharset(charset)) ?? charsetOfForm(fields);
  for (const field of fields) {
    const own = field.charset === undefined ? common : (knownCharset(field.charset) ?? common);
    const name = decodeField(field.name, common);
    const value = decodeField(field.value, own);
    if (value === '') continue;
    const before = gathered.get(name);
    if (Array.isArray(before)) before.push(value);
    else gathered.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(gathered);
}

function charsetOfForm(fields: readonly RawField[]): string | undefined {
  const field = fields.find(({ name }) => Buffer.from(name).toString('latin1') === CHARSET_FIELD);
  return field && knownCharset(Buffer.from(field.value).toString('latin1'));
}
