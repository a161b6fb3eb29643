const fallback = new TextDecoder('windows-1252');

/**
 * The text of a form's field: in the given charset, else in UTF-8, else in windows-1252, which any bytes are valid in. No byte
 * becomes U+FFFD.
 */
export function decodeField(bytes: Uint8Array, charset: string | undefined): string {
  for (const one of [charset, 'utf-8']) {
    if (one === undefined) continue;
    try {
      return new TextDecoder(one, { fatal: true }).decode(bytes);
    } catch {
      // The bytes are in another one.
    }
  }
  return fallback.decode(bytes);
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

/** The charset that a Content-Type names. */
export function charsetOf(contentType: string): string | undefined {
  const [, label] = /;\s*charset\s*=\s*["']?([^\s"';]{1,40})/i.exec(contentType) ?? [];
  return label;
}
