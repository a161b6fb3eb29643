import { setImmediate } from 'node:timers/promises';

/** Bytes that are read at a time. */
const PIECE = 16 * 1024;

/** The same bytes in small pieces. Other requests get a turn after each of them, however fast the bytes arrive. */
export async function* pieces(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      yield chunk.subarray(at, at + PIECE);
      await setImmediate();
    }
  }
}
