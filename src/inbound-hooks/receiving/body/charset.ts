import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

const utf8 = new TextDecoder('utf-8');
const fallback = new TextDecoder('windows-1252');
/** By charset. There are forty, and making one takes longer than decoding a field. */
const decoders = new Map<string, TextDecoder>();

/**
 * The text of a form's field: in the given charset, else in UTF-8, else in windows-1252, which any bytes are valid in. No byte
 * becomes U+FFFD. `charset` is a name from knownCharset().
 */
export function decodeField(bytes: Uint8Array, charset: string | undefined): string {
  const named = charset === undefined || charset === 'utf-8' ? undefined : decodeIn(bytes, charset);
  return named ?? (isUtf8(bytes) ? utf8.decode(bytes) : fallback.decode(bytes));
}

/** Undefined if the bytes are not valid in the charset. */
function decodeIn(bytes: Uint8Array, charset: string): string | undefined {
  const decoder = decoders.get(charset) ?? new TextDecoder(charset, { fatal: true });
  decoders.set(charset, decoder);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The charset by its standard name. Undefined if it is unknown. A form is never in UTF-16: browsers send UTF-8 instead
 * (https://html.spec.whatwg.org/#picking-an-encoding-for-the-form).
 */
export function knownCharset(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return undefined;
  }
}
