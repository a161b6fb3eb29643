import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodeMixed } from './mixed-text.ts';

/** Bytes by which UTF-16 without a byte order mark is recognized. */
const SAMPLE = 4_096;

const MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Other names that programs and people use, for which the WHATWG's standard has none. */
const ALIASES: Readonly<Record<string, string>> = {
  'mac-roman': 'macintosh',
  macroman: 'macintosh',
  'mac roman': 'macintosh',
  'utf-16': 'utf-16le',
  sjis: 'shift_jis',
  cp932: 'shift_jis',
  cp1252: 'windows-1252',
  ansi: 'windows-1252',
  'ansi_x3.4': 'windows-1252',
};

/** By charset. There are forty, and making one takes longer than decoding a field. */
const decoders = new Map<string, TextDecoder>();

/** The charset's usual name (https://encoding.spec.whatwg.org/#names-and-labels). Undefined if it is unknown. */
export function knownCharset(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  try {
    return new TextDecoder(ALIASES[name] ?? name).encoding;
  } catch {
    return undefined;
  }
}

/**
 * The charset by the byte order mark, else as given, else UTF-16 by the zero bytes of Latin text. Undefined if the bytes have
 * to tell: they are UTF-8, windows-1252 or both.
 */
export function detectCharset(start: Uint8Array, given: string | undefined): string | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => start[index] === byte));
  if (marked !== undefined) return marked[0] === 'utf-8' ? undefined : marked[0];
  if (given !== undefined && given !== 'utf-8') return given;
  const sample = start.subarray(0, SAMPLE);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const quarter = sample.length / 4;
  if (odd > quarter && even === 0) return 'utf-16le';
  return even > quarter && odd === 0 ? 'utf-16be' : undefined;
}

/**
 * Decodes in the charset of the byte order mark, else in the given one, else as UTF-8, else as windows-1252. Damaged bytes of
 * UTF-8 are read as windows-1252. Never gives U+FFFD for a byte. `charset` is a name from knownCharset().
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  const found = detectCharset(bytes, charset);
  const named = found === undefined ? undefined : decodeIn(bytes, found);
  if (named !== undefined) return named;
  if (isUtf8(bytes)) return decodeIn(bytes, 'utf-8') ?? '';
  const { text, foreign, wide } = decodeMixed(bytes);
  return wide < foreign ? (decodeIn(bytes, 'windows-1252') ?? '') : text;
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

/** Without a byte order mark of UTF-8. */
export function withoutMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const isMarked = MARKS[0]?.[1].every((byte, index) => bytes[index] === byte);
  return isMarked ? (bytes.subarray(3) as Bytes) : bytes;
}
