import { decodeText, knownCharset } from '../../../values/charset.ts';

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
  const common = (charset && formCharset(charset)) ?? charsetOfForm(fields);
  for (const field of fields) {
    const own = field.charset === undefined ? common : (formCharset(field.charset) ?? common);
    const name = decodeText(field.name, common);
    const value = decodeText(field.value, own);
    if (value === '') continue;
    const before = gathered.get(name);
    if (Array.isArray(before)) before.push(value);
    else gathered.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(gathered);
}

function charsetOfForm(fields: readonly RawField[]): string | undefined {
  const field = fields.find(({ name }) => Buffer.from(name).toString('latin1') === CHARSET_FIELD);
  return field && formCharset(Buffer.from(field.value).toString('latin1'));
}

/** Browsers send UTF-8 instead of UTF-16 (https://html.spec.whatwg.org/#picking-an-encoding-for-the-form). */
export function formCharset(label: string): string | undefined {
  const charset = knownCharset(label);
  return charset?.startsWith('utf-16') ? 'utf-8' : charset;
}
