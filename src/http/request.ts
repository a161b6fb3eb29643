import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Context, Contexts } from '../context.ts';
import type { Environment } from '../environment.ts';
import type { Principal } from '../principal.ts';
import { Problem, type ProblemCode } from '../problem.ts';
import type { Deadline } from '../values/deadline.ts';
import type { OperationMatch } from './find-operation.ts';
import type { Held } from './limits/fair-share.ts';
import type { Shares } from './limits/shares.ts';

declare global {
  namespace Express {
    /** Set by the middlewares, in this order. */
    interface Request {
      requestId: string;
      /** The id of the request's trace. Undefined without tracing. */
      traceId?: string;
      /** Continues in the client's trace, once its credential is valid. Undefined without tracing. */
      trustTrace?: (proceed: () => void) => void;
      environment: Environment;
      context: Context;
      match: OperationMatch;
      /** The media type of the response, unless it is an error. */
      mediaType: string;
      principal: Principal;
      /** When the credential was last checked: the time by performance.now(), and the revision of all credentials. */
      confirmed: { at: number; revision: number | undefined };
      shares: Shares;
      /** What the request holds of its client's memory: until it is answered, its large body while that arrives, and while it is processed. */
      memory: Held;
      arriving?: Held;
      processed?: Held;
      /** The work of the request, which may go on after its time is over. */
      running?: Promise<void> | undefined;
      deadline: Deadline;
      queryKind: 'light' | 'heavy';
      /** Content-Type as it came, with its parameters. Undefined if the operation takes no body. */
      contentType?: string;
      /** The raw body. Undefined if the operation takes none. */
      rawBody?: Buffer;
      /** Validated input for the handler. */
      input: Record<'path' | 'query' | 'headers' | 'body', unknown>;
      /** Set once the request has failed. */
      problemCode?: ProblemCode;
      /** Response headers collected so far. Undefined outside the environments. */
      responseHeaders?: Record<string, string>;
    }
  }
}

/** Uses the client's X-Request-Id if it is 8 to 64 characters of `[A-Za-z0-9._-]`, or else generates one. */
export function assignRequestId(req: Request, _res: Response, next: NextFunction): void {
  const requested = req.headers['x-request-id'];
  req.requestId =
    typeof requested === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(requested) ? requested : randomUUID();
  next();
}

/** Assigns the request to an environment and starts its response headers. `headers` are sent with every response. */
export function assignEnvironment(
  environment: Environment,
  headers: Readonly<Record<string, string>>,
): RequestHandler {
  const baseHeaders = { ...headers, 'X-Environment': environment, 'X-Request-Id': '' };
  return (req, _res, next) => {
    req.environment = environment;
    req.responseHeaders = { ...baseHeaders, 'X-Request-Id': req.requestId };
    next();
  };
}

/** Binds the request to the context of its environment. Throws 503 until the environment's database is ready. */
export function bindContext(contexts: Contexts): RequestHandler {
  return (req, _res, next) => {
    const context = contexts[req.environment];
    if (context === undefined) {
      const message = `The ${req.environment} database is not available yet. Try again shortly.`;
      throw new Problem('unavailable', message);
    }
    req.context = context;
    next();
  };
}

/** For paths outside the environments. */
export function sendRequestId(req: Request, res: Response, next: NextFunction): void {
  res.setHeader('X-Request-Id', req.requestId);
  next();
}

export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** RFC 9112 section 6.3. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The client's IP address. On a socket for both versions, IPv4 addresses have a prefix, which is removed. */
export function addressOf({ ip = '' }: Request): string | null {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}
