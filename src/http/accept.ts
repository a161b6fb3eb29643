import type { NextFunction, Request, Response } from 'express';
import { Problem } from './problem.ts';

/** 406 when the caller takes no JSON (RFC 9110 section 12.5.1). */
export function checkAccept(req: Request, _res: Response, next: NextFunction) {
  const { accept } = req.headers;
  const isPlain = accept === undefined || accept === '*/*' || accept === 'application/json';
  if (isPlain || req.accepts('application/json') !== false) return next();
  throw new Problem('not_acceptable', 'Answers are application/json; the Accept header must allow that.');
}
