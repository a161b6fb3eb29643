import { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import { Problem } from '../../problem.ts';
import { whenClosed } from '../when-closed.ts';
import { arrivalOf } from './arrival.ts';

/** Maximum bodies received at once that are read while they arrive, in one process. */
const MAX_CONCURRENT = 2;
/** Seconds after which another attempt makes sense. */
const RETRY_AFTER = 10;

/** Returns a function that runs a task that reads the body while it arrives. It does so a few times at once, and throws 503 beyond. */
export function createUploads() {
  let running = 0;
  return async <Result>(
    req: Request,
    res: Response,
    task: (body: AsyncIterable<Buffer>) => Promise<Result>,
  ): Promise<Result> => {
    if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new Problem('unsupported_media_type', 'The file must not be compressed.');
    }
    if (Number(req.headers['content-length'] ?? 0) > req.match.operation.bodyLimit) throw tooLarge(req);
    if (running >= MAX_CONCURRENT) throw overloaded();
    running += 1;
    try {
      return await task(receive(req, res));
    } finally {
      running -= 1;
      // Otherwise the client could not read the answer before it has sent everything.
      req.resume();
    }
  };
}

/** The body in pieces. The client's time runs only while the service waits for it. */
async function* receive(req: Request, res: Response): AsyncGenerator<Buffer> {
  const arrival = arrivalOf(req);
  const pieces = req.pipe(new PassThrough());
  pieces.on('error', () => undefined);
  // The client was too slow or has left, so nothing more arrives. The request itself does not say so.
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
  } finally {
    arrival?.resume();
  }
}

function tooLarge({ match }: Request): Problem {
  const limit = match.operation.bodyLimit / 1024 ** 2;
  return new Problem('body_too_large', `The file must not be larger than ${limit} MiB.`);
}

/** Nobody gets this answer, but it is logged as the client's fault. */
function incomplete(): Problem {
  return new Problem('invalid_request', 'The connection ended before the file was complete.');
}

function overloaded(): Problem {
  return new Problem(
    'unavailable',
    `${MAX_CONCURRENT} files are being received, and more can't be at a time. Try again in ${RETRY_AFTER} seconds.`,
    { headers: { 'Retry-After': String(RETRY_AFTER) } },
  );
}
