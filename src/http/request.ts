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
    }
  }
}

/** Takes a client's X-Request-Id when it is 8 to 64 of `[A-Za-z0-9._-]`, else makes one; answers with it. */
export function identify(req: Request, res: Response, next: NextFunction): void {
  const given = req.get('X-Request-Id');
  req.requestId = given !== undefined && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', req.requestId);
  next();
}

/** Binds what follows to one environment. */
export function enter(context: Context): RequestHandler {
  return (req, res, next) => {
    req.context = context;
    res.setHeader('X-Environment', context.environment);
    next();
  };
}
