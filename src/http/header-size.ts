import type { NextFunction, Request, Response } from 'express';
import { Problem } from './problem.ts';

/** The URL's 8 KiB (which find-operation.ts refuses with a 414) and 16 KiB of other headers, in bytes. */
const MAX_SIZE = 24 * 1024;

export const headersTooLarge = `The request line and headers must not be larger than ${MAX_SIZE / 1024} KiB.`;

/** 431. Node's own limit lies higher: what it refuses never gets here, so that less can be told of it. */
export function checkHeaderSize(req: Request, _res: Response, next: NextFunction) {
  let size = req.method.length + req.originalUrl.length + '  HTTP/1.1\r\n'.length;
  // Names and values in turn, each with two characters behind it.
  for (const text of req.rawHeaders) size += text.length + 2;
  if (size > MAX_SIZE) throw new Problem('headers_too_large', headersTooLarge);
  next();
}
