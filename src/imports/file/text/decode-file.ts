import { isAscii, isUtf8 } from 'node:buffer';
import { invalidFields } from '../../../problem.ts';
import { decodeMixed } from '../../../values/mixed-text.ts';

/** Text of a file. `hasForeign` says that it begins with a line that is the file's first with bytes that are not UTF-8. */
export interface Piece {
  text: string;
  hasForeign: boolean;
}

/** The encoding that was found: known after the last piece. */
export interface Decoding {
  charset: string;
  /** Whether some bytes mean nothing in this encoding. */
  isBroken: boolean;
}

/** Bytes by which UTF-16 without a byte order mark is recognized. */
const SAMPLE = 4_096;
const LINE_FEED = 0x0a;

const MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Other names that people use, as the WHATWG's standard has none for them. */
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

/** The encoding's usual name. Throws 422 if it is unknown. */
export function encodingNamed(charset: string): string {
  const encoding = knownEncoding(charset);
  if (encoding !== undefined) return encoding;
  const message = 'must be the name of an encoding, such as utf-8, windows-1252 or shift_jis';
  throw invalidFields({ charset: [message] });
}

/** The encoding's usual name. Undefined if it is unknown. */
export function knownEncoding(charset: string): string | undefined {
  const label = charset.trim().toLowerCase();
  try {
    return new TextDecoder(ALIASES[label] ?? label).encoding;
  } catch {
    return undefined;
  }
}

/**
 * The encoding by the byte order mark, else as given, else UTF-16 by the zero bytes of Latin text. Undefined if the bytes have
 * to tell.
 */
export function detectEncoding(start: Buffer, given: string | undefined): string | undefined {
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

/** Decodes a file as it arrives. `decoding` is complete after the last piece. */
export async function* decodeFile(
  chunks: AsyncIterable<Buffer>,
  encoding: string | undefined,
  decoding: Decoding,
): AsyncGenerator<Piece> {
  yield* encoding === undefined ? decodeUtf8(chunks, decoding) : decodeAs(chunks, encoding, decoding);
}

async function* decodeAs(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
  decoding: Decoding,
): AsyncGenerator<Piece> {
  const decoder = new TextDecoder(encoding);
  decoding.charset = decoder.encoding;
  const decoded = (text: string): Piece => {
    const hasForeign = !decoding.isBroken && text.includes('\ufffd');
    decoding.isBroken ||= hasForeign;
    return { text, hasForeign };
  };
  for await (const chunk of chunks) yield decoded(decoder.decode(chunk, { stream: true }));
  yield decoded(decoder.decode());
}

/** Reads bytes that aren't UTF-8 as windows-1252, each by itself: a file may have both. */
async function* decodeUtf8(chunks: AsyncIterable<Buffer>, decoding: Decoding): AsyncGenerator<Piece> {
  let rest: Buffer = Buffer.alloc(0);
  let isStart = true;
  let hasUtf8 = false;
  let hasForeign = false;

  function* decoded(bytes: Buffer): Generator<Piece> {
    if (isAscii(bytes)) return void (yield { text: bytes.toString('latin1'), hasForeign: false });
    if (isUtf8(bytes)) {
      hasUtf8 = true;
      return void (yield { text: bytes.toString(), hasForeign: false });
    }
    let text = '';
    let begins = false;
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length;
      const line = bytes.subarray(start, end);
      const isForeign = !isUtf8(line);
      if (isForeign && !hasForeign) {
        if (text !== '') yield { text, hasForeign: false };
        text = '';
        begins = true;
        hasForeign = true;
      }
      text += isForeign ? decodeMixed(line).text : line.toString();
      hasUtf8 ||= !isForeign && !isAscii(line);
    }
    yield { text, hasForeign: begins };
  }

  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // Only a whole line tells whether it is UTF-8.
    const end = bytes.lastIndexOf(LINE_FEED) + 1 || endOfCharacters(bytes);
    rest = bytes.subarray(end);
    if (end === 0) continue;
    yield* decoded(withoutMark(bytes.subarray(0, end), isStart));
    isStart = false;
  }
  yield* decoded(withoutMark(rest, isStart));
  decoding.isBroken = hasForeign && hasUtf8;
  decoding.charset = hasForeign && !hasUtf8 ? 'windows-1252' : 'utf-8';
}

function withoutMark(bytes: Buffer, isStart: boolean): Buffer {
  const [, mark = []] = MARKS[0] ?? [];
  return isStart && mark.every((byte, index) => bytes[index] === byte) ? bytes.subarray(mark.length) : bytes;
}

/** The end of the last whole character. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return size > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
