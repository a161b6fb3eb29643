import { decodeMixed } from '../values/mixed-text.ts';

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

/** Names that programs give to charsets, and that TextDecoder doesn't know. */
const ALIASES: Readonly<Record<string, string>> = {
  macroman: 'macintosh',
  'mac-roman': 'macintosh',
  'mac roman': 'macintosh',
  ansi: 'windows-1252',
  cp932: 'shift_jis',
  'utf-16': 'utf-16le',
};

/** Decodes by the byte order mark, else the named charset, else as UTF-8, else as windows-1252. Never gives U+FFFD for a byte. */
export function decodeText(bytes: Uint8Array, charset?: string): Decoded {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return decode(bytes, marked[0]);
  if (charset === undefined) return decode(bytes, looksLikeUtf16(bytes) ?? 'utf-8');
  const label = ALIASES[charset.trim().toLowerCase()] ?? charset;
  if (isCharset(label)) return decode(bytes, label);
  return {
    ...decode(bytes, 'utf-8'),
    warning: `The charset ${charset} is unknown. The text was read as UTF-8.`,
  };
}

function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label) instanceof TextDecoder;
  } catch {
    return false;
  }
}

/** In UTF-16, every other byte of European text is zero. */
function looksLikeUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 1_000);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 5 && even === 0) return 'utf-16le';
  return even > sample.length / 5 && odd === 0 ? 'utf-16be' : undefined;
}

function decode(bytes: Uint8Array, label: string): Decoded {
  const decoder = new TextDecoder(label, { fatal: true });
  try {
    return { text: decoder.decode(bytes), charset: decoder.encoding };
  } catch {
    return decoder.encoding === 'utf-8' ? decodeDamaged(bytes) : decodeWindows(bytes, decoder.encoding);
  }
}

function decodeWindows(bytes: Uint8Array, encoding: string): Decoded {
  return {
    text: new TextDecoder('windows-1252').decode(bytes),
    charset: 'windows-1252',
    warning: `The text is not valid ${encoding.toUpperCase()}. It was read as windows-1252.`,
  };
}

/** UTF-8 with a few damaged characters, whose bytes are read as windows-1252. If most are damaged, all of the text is. */
function decodeDamaged(bytes: Uint8Array): Decoded {
  const { text, foreign, wide } = decodeMixed(bytes);
  if (wide < foreign) return decodeWindows(bytes, 'utf-8');
  const bytesAre = foreign === 1 ? '1 byte is' : `${foreign} bytes are`;
  return { text, charset: 'utf-8', warning: `${bytesAre} not valid UTF-8, and read as windows-1252.` };
}
