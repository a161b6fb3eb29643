import { pipeline, Transform, type TransformCallback } from 'node:stream';
import type { Request } from 'express';

/** Small pieces to merge into one. */
const MAX_PIECES = 256;
/** A piece of this size is passed on at once. Bytes. */
const LARGE = 4 * 1024;

/** Merges small pieces: each one in memory takes 400 bytes more than it has, until the whole body has arrived. */
class MergedChunks extends Transform {
  #pieces: Buffer[] = [];

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pieces.push(piece);
    if (piece.length >= LARGE || this.#pieces.length >= MAX_PIECES) this.#passOn();
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#passOn();
    done();
  }

  #passOn(): void {
    this.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }
}

/**
 * What a body parser needs of a request, with the body in larger pieces. A chunked body may arrive in chunks of one byte: 8 MiB of
 * them would take gigabytes.
 */
export function withMergedChunks(req: Request): Request {
  if (req.headers['transfer-encoding'] === undefined) return req;
  const merged = pipeline(req, new MergedChunks(), () => undefined);
  return Object.assign(merged, {
    headers: req.headers,
    socket: req.socket,
    complete: false,
  }) as unknown as Request;
}
