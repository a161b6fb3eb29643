import type { NextFunction, Request, Response } from 'express';
import { Problem } from './problem.ts';

/** Throws 406 if the Accept header excludes JSON (RFC 9110 section 12.5.1). */
export function checkAccept(req: Request, _res: Response, next: NextFunction) {
  const { accept } = req.headers;
  const isPlain = accept === undefined || accept === '*/*' || accept === 'application/json';
  if (isPlain || req.accepts('application/json') !== false) return next();
  throw new Problem('not_acceptable', 'Responses are application/json; the Accept header must allow it.');
}
