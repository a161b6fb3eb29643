import { isUtf8 } from 'node:buffer';
import { FileFault } from './fault.ts';

/** Maximum size of a row, as of a single request's body. Bytes. */
export const MAX_ROW = 262_144;
export const tooLong = 'is longer than 256 KiB; a quote may be missing before it';

/** Bytes from which the encoding is detected. */
const SAMPLE = 4_096;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Yields the file in UTF-8, in pieces of whole lines. `endOfLines` finds the end of the last line in a piece, or 0. Throws
 * FileFault where the file isn't text, after the lines before that.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  endOfLines: (chunk: Buffer) => number,
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of toUtf8(chunks)) {
    const end = endOfLines(chunk);
    if (end > 0) {
      yield* checked(Buffer.concat([...rest, chunk.subarray(0, end)]));
      rest = [];
      size = 0;
    }
    rest.push(chunk.subarray(end));
    size += chunk.length - end;
    if (size > MAX_ROW) throw new FileFault(tooLong);
  }
  yield* checked(Buffer.concat(rest));
}

export function lastLineFeed(chunk: Buffer): number {
  return chunk.lastIndexOf(LINE_FEED) + 1;
}

/** Old files of a Mac have carriage returns only. The last byte may be the first half of a CRLF. */
export function lastLineEnd(chunk: Buffer): number {
  return lastLineFeed(chunk) || chunk.subarray(0, -1).lastIndexOf(CARRIAGE_RETURN) + 1;
}

/** Yields the lines before the first that isn't UTF-8 or has a NUL, which PostgreSQL can't store. */
function* checked(lines: Buffer): Generator<Buffer> {
  if (lines.length === 0) return;
  if (isUtf8(lines) && !lines.includes(0)) return void (yield lines);
  for (let start = 0, end = 0; start < lines.length; start = end) {
    end = lines.indexOf(LINE_FEED, start) + 1 || lines.length;
    const line = lines.subarray(start, end);
    if (!isUtf8(line)) {
      throw new FileFault('is not in UTF-8; save the file as "CSV UTF-8" and send it again');
    }
    if (line.includes(0)) throw new FileFault('contains a NUL character; the file must be plain text');
    yield line;
  }
}

/** Removes the byte order mark from UTF-8, and converts UTF-16. */
async function* toUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let convert: ((bytes?: Buffer) => Buffer) | undefined;
  const sample: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (convert !== undefined) {
      yield convert(chunk);
      continue;
    }
    sample.push(chunk);
    size += chunk.length;
    if (size < SAMPLE) continue;
    const start = Buffer.concat(sample);
    convert = converter(start);
    yield convert(withoutMark(start));
  }
  if (convert === undefined) {
    const whole = Buffer.concat(sample);
    convert = converter(whole);
    yield convert(withoutMark(whole));
  }
  yield convert();
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function withoutMark(start: Buffer): Buffer {
  return start.subarray(0, 3).equals(UTF8_MARK) ? start.subarray(3) : start;
}

/** Called without bytes at the end of the file. */
function converter(start: Buffer): (bytes?: Buffer) => Buffer {
  const encoding = encodingOf(start);
  if (encoding === 'utf-8') return (bytes = Buffer.alloc(0)) => bytes;
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream: bytes !== undefined }));
    } catch {
      throw new FileFault(`is not in ${encoding.toUpperCase()}, in which the file begins`);
    }
  };
}

/** Detects the encoding by the byte order mark, or by the zero bytes of Latin text. */
function encodingOf(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const sample = start.subarray(0, SAMPLE);
  if (sample.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    throw new FileFault('is an Excel workbook or a ZIP file; save it as CSV');
  }
  if (sample[0] === 0x1f && sample[1] === 0x8b) throw new FileFault('is compressed; send it unpacked');
  const [first, second] = sample;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 4;
  if (odd > half && even === 0) return 'utf-16le';
  if (even > half && odd === 0) return 'utf-16be';
  return 'utf-8';
}
