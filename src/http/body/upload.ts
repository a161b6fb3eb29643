import { PassThrough, type Transform } from 'node:stream';
import type { Request, Response } from 'express';
import { Problem } from '../../problem.ts';
import { whenClosed } from '../when-closed.ts';
import { arrivalOf } from './arrival.ts';
import { createDecoder } from './read-body.ts';

/** The body of an upload, decompressed, in chunks as they arrive. Throws 413 or 415. */
export function receiveUpload(req: Request, res: Response): AsyncGenerator<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > req.match.operation.bodyLimit) throw tooLarge(req);
  return receive(req, res, createDecoder(req) ?? new PassThrough());
}

/** The time limit for the client runs only while the service is waiting for it. The limit in bytes is that of the file itself. */
async function* receive(req: Request, res: Response, decoder: Transform): AsyncGenerator<Buffer> {
  const arrival = arrivalOf(req);
  const pieces = req.pipe(decoder);
  pieces.on('error', () => undefined);
  // If the client was too slow or has left, nothing more arrives, but `req` doesn't emit an error.
  whenClosed(res, () => pieces.destroy(incomplete()));
  let size = 0;
  arrival?.allowLong();
  try {
    for await (const piece of pieces) {
      arrival?.pause();
      size += piece.length;
      if (size > req.match.operation.bodyLimit) throw tooLarge(req);
      yield piece;
      arrival?.resume();
    }
  } catch (error) {
    throw isDamaged(error) ? damaged() : error;
  } finally {
    arrival?.resume();
  }
}

/** Whether this is an error of zlib. */
function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(Z_|ERR__)/.test(String(error.code));
}

function damaged(): Problem {
  return new Problem(
    'invalid_request',
    'The file could not be decompressed: it is damaged or incomplete, or its Content-Encoding is wrong.',
  );
}

function tooLarge({ match }: Request): Problem {
  const limit = match.operation.bodyLimit / 1024 ** 2;
  return new Problem('body_too_large', `The file must not be larger than ${limit} MiB.`);
}

/** Nobody receives this response, but the log shows it as the client's fault. */
function incomplete(): Problem {
  return new Problem('invalid_request', 'The connection ended before the file was complete.');
}
