import { finished, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { Problem } from '../../problem.ts';

/** By Content-Encoding. `x-gzip` is an old name of gzip (RFC 9110 section 8.4.1.3). */
const decoders = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Room for a body of unknown length, at first. Bytes. */
const FIRST_ROOM = 64 * 1024;

/**
 * Reads and decompresses the body. Fails with 413 above `limit` bytes, with 415 for an unknown Content-Encoding, and with 400
 * for a body that is broken or incomplete.
 *
 * Not Express's raw(), which keeps a Buffer for each chunk: 8 MiB in chunks of one byte would take gigabytes.
 */
export async function readBody(req: Request, limit: number): Promise<Buffer> {
  const { 'content-length': length } = req.headers;
  try {
    const decoder = createDecoder(req);
    if (decoder !== undefined) return await decode(req, decoder, limit);
    if (Number(length) > limit) throw tooLarge(limit);
    return await collect(req, limit, length === undefined ? undefined : Number(length));
  } catch (error) {
    // Most clients read the response only after they have sent everything.
    await skipBody(req).catch(() => undefined);
    throw error;
  }
}

/** Decompresses the body. Undefined if it isn't compressed. Throws 415 for an unknown Content-Encoding. */
export function createDecoder({ headers }: Request): Transform | undefined {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const create = decoders.get(encoding);
  if (create === undefined && encoding !== 'identity') throw unsupported();
  return create?.();
}

async function decode(req: Request, decoder: Transform, limit: number): Promise<Buffer> {
  finished(req, { writable: false }, (error) => error && decoder.destroy(error));
  try {
    return await collect(req.pipe(decoder), limit);
  } finally {
    req.unpipe(decoder);
    decoder.destroy();
  }
}

/** `room` is the length of the body, if it is known. A Buffer for each chunk would take several times as much memory. */
function collect(source: Readable, limit: number, room = FIRST_ROOM): Promise<Buffer> {
  let whole = Buffer.allocUnsafe(room);
  let size = 0;
  return new Promise((resolve, reject) => {
    const take = (piece: Buffer) => {
      const needed = size + piece.length;
      if (needed > limit) {
        source.off('data', take);
        reject(tooLarge(limit));
        return;
      }
      if (needed > whole.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, 2 * whole.length));
        whole.copy(larger, 0, 0, size);
        whole = larger;
      }
      piece.copy(whole, size);
      size = needed;
    };
    source.on('data', take);
    finished(source, { writable: false }, (error) =>
      error ? reject(incomplete()) : resolve(whole.subarray(0, size)),
    );
  });
}

/** Discards the request's body. Rejects with 400 if it is incomplete. */
export function skipBody(req: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    finished(req, { writable: false }, (error) => (error ? reject(incomplete()) : resolve()));
    req.resume();
  });
}

function tooLarge(limit: number): Problem {
  return new Problem('body_too_large', `The body must not be larger than ${limit / 1024} KiB.`);
}

function unsupported(): Problem {
  return new Problem(
    'unsupported_media_type',
    'The body must be plain or compressed with gzip, deflate or br.',
  );
}

function incomplete(): Problem {
  return new Problem(
    'invalid_json',
    'The body could not be read: it is incomplete, or does not match its headers.',
  );
}
