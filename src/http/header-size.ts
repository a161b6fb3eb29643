import type { NextFunction, Request, Response } from 'express';
import { Problem } from './problem.ts';

/** 8 KiB for the URL (find-operation.ts responds 414 above that) and 16 KiB for the headers. Bytes. */
const MAX_SIZE = 24 * 1024;

export const headersTooLarge = `The request line and headers must not be larger than ${MAX_SIZE / 1024} KiB.`;

/** Throws 431. Node's own limit is higher: requests it rejects never reach the app and get a less complete response. */
export function checkHeaderSize(req: Request, _res: Response, next: NextFunction) {
  let size = req.method.length + req.originalUrl.length + '  HTTP/1.1\r\n'.length;
  // Names and values alternate, each followed by two characters (": " or CRLF).
  for (const text of req.rawHeaders) size += text.length + 2;
  if (size > MAX_SIZE) throw new Problem('headers_too_large', headersTooLarge);
  next();
}
