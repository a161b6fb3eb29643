import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Problem } from '../../problem.ts';
import { invalidFile } from '../fault.ts';

/** Maximum size of a compressed file's content, as of a file that isn't compressed. Bytes. */
const MAX_UNPACKED = 200 * 2 ** 20;

export function isGzip(start: Buffer): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** Unpacks a .gz file as it arrives. Throws 413 if it has too much, and 422 if it is damaged. */
export async function* gunzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  let cause: unknown;
  const source = Readable.from(chunks, { objectMode: false });
  const done = pipeline(source, unpacked).catch((error: unknown) => {
    cause = error;
  });
  try {
    yield* limitUnpacked(unpacked as AsyncIterable<Buffer>);
  } catch (error) {
    throw isZlibError(error) ? invalidFile('is a damaged gzip file') : error;
  } finally {
    unpacked.destroy();
    source.destroy();
    await done;
  }
  if (cause !== undefined) throw cause;
}

/** Throws 413 if there is too much. */
export async function* limitUnpacked(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_UNPACKED)
      throw new Problem('body_too_large', 'The unpacked file must not be larger than 200 MiB.');
    yield chunk;
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
}
