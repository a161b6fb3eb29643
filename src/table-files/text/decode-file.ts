import { isAscii, isUtf8 } from 'node:buffer';
import { invalidFields } from '../../problem.ts';
import { knownCharset, withoutMark } from '../../values/charset.ts';
import { decodeMixed } from '../../values/mixed-text.ts';

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

const LINE_FEED = 0x0a;

/** The encoding's usual name. Throws 422 if it is unknown. */
export function encodingNamed(charset: string): string {
  const encoding = knownCharset(charset);
  if (encoding !== undefined) return encoding;
  const message = 'must be the name of an encoding, such as utf-8, windows-1252 or shift_jis';
  throw invalidFields({ charset: [message] });
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
    const whole = bytes.subarray(0, end);
    yield* decoded(isStart ? withoutMark(whole) : whole);
    isStart = false;
  }
  yield* decoded(isStart ? withoutMark(rest) : rest);
  decoding.isBroken = hasForeign && hasUtf8;
  decoding.charset = hasForeign && !hasUtf8 ? 'windows-1252' : 'utf-8';
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
