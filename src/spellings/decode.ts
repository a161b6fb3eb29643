interface Decoded {
  text: string;
  charset: string;
  warning?: string;
}

/** Byte order marks, the longer ones first. */
const MARKS: readonly [charset: string, bytes: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Decodes by the byte order mark, else the named charset, else as UTF-8, else as windows-1252. Never gives U+FFFD for a byte. */
export function decodeText(bytes: Uint8Array, charset?: string): Decoded {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return decode(bytes, marked[0]);
  if (charset !== undefined) {
    if (isCharset(charset)) return decode(bytes, charset);
    return {
      ...decode(bytes, 'utf-8'),
      warning: `The charset ${charset} is unknown. The text was read as UTF-8.`,
    };
  }
  return decode(bytes, 'utf-8');
}

function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label) instanceof TextDecoder;
  } catch {
    return false;
  }
}

function decode(bytes: Uint8Array, label: string): Decoded {
  const decoder = new TextDecoder(label, { fatal: true });
  try {
    return { text: decoder.decode(bytes), charset: decoder.encoding };
  } catch {
    return {
      text: new TextDecoder('windows-1252').decode(bytes),
      charset: 'windows-1252',
      warning: `The text is not valid ${decoder.encoding.toUpperCase()}. It was read as windows-1252.`,
    };
  }
}
