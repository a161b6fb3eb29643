import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import type { OperationMatch } from './find-operation.ts';

declare global {
  namespace Express {
    /** What the middlewares find out about a request, in the order in which they do. */
    interface Request {
      requestId: string;
      context: Context;
      match: OperationMatch;
      principal: Principal;
      /** The body as it came; undefined where the operation takes none. */
      rawBody?: Buffer;
      /** What the contract let through, for the handler. */
      input: Record<'path' | 'query' | 'headers' | 'body', unknown>;
      /** The headers of the answer, as far as they are known; undefined outside of the environments. */
      answer?: Record<string, string>;
    }
  }
}

/** Takes a client's X-Request-Id when it is 8 to 64 of `[A-Za-z0-9._-]`, else makes one. */
export function identify(req: Request, _res: Response, next: NextFunction): void {
  const given = req.headers['x-request-id'];
  req.requestId = typeof given === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
  next();
}

/** Binds what follows to one environment, and begins its answer; `headers` are those of every answer. */
export function bindEnvironment(context: Context, headers: Readonly<Record<string, string>>): RequestHandler {
  const always = { ...headers, 'X-Environment': context.environment, 'X-Request-Id': '' };
  return (req, _res, next) => {
    req.context = context;
    req.answer = { ...always, 'X-Request-Id': req.requestId };
    next();
  };
}

/** For what lies outside of the environments. */
export function sendRequestId(req: Request, res: Response, next: NextFunction): void {
  res.setHeader('X-Request-Id', req.requestId);
  next();
}

export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
