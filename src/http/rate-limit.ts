import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { RateLimitClass } from '../../generated/operations.ts';
import { claimedClientId } from '../auth/client-credentials.ts';
import type { Config } from '../config.ts';
import { Problem } from './problem.ts';

const WINDOW = 60_000;

/** The counters of one environment. */
export interface RateLimiters {
  /** Counts a request of a known caller in the class of its operation. */
  limit: RequestHandler;
  /** Counts a request without a valid credential against its IP address. */
  limitAnonymous: RequestHandler;
  /** Counts a token against its client when it is about to be handed out, so that nobody can lock another client out. */
  limitTokenClient: RequestHandler;
}

export function createRateLimiters(limits: Config['rateLimits']): RateLimiters {
  const byClient = (name: string, max: number) =>
    limiter(name, max, (req) => req.principal.clientId ?? ip(req));
  const limitAnonymous = limiter('anonymous', limits.anonymous, ip);
  const classes: Record<RateLimitClass, RequestHandler> = {
    read: byClient('read', limits.read),
    write: byClient('write', limits.write),
    search: byClient('search', limits.search),
    token: limiter('token-ip', limits.tokenIp, ip),
    anonymous: limitAnonymous,
  };
  const tokenClient = limiter(
    'token-client',
    limits.tokenClient,
    (req) => claimedClientId(req.headers.authorization, req.body) ?? ip(req),
  );
  return {
    limit: (req, res, next) => classes[classOf(req)](req, res, next),
    limitAnonymous,
    limitTokenClient: (req, res, next) => {
      if (req.match.id === 'createToken') beforeSuccess(res, (send) => tokenClient(req, res, send), next);
      next();
    },
  };
}

/** Has `limit` decide when a 200 is ready to be sent. Express-rate-limit's own `skipFailedRequests` counts until the failure. */
function beforeSuccess(res: Response, limit: (send: NextFunction) => void, next: NextFunction): void {
  const { json } = res;
  res.json = (body: unknown) => {
    res.json = json;
    if (res.statusCode !== 200) return res.json(body);
    limit((limited?: unknown) => (limited === undefined ? res.json(body) : next(limited)));
    return res;
  };
}

/** An operation's class, unless the request has a query parameter that counts in another one. */
function classOf(req: Request): RateLimitClass {
  const { rateLimit: usual, queryRateLimits } = req.match.operation;
  for (const [parameter, other] of Object.entries(queryRateLimits)) {
    if (parameter in req.query) return other;
  }
  return usual;
}

/** IPv6 by /56, the block that one subscriber gets. */
function ip(req: Request): string {
  return ipKeyGenerator(req.ip ?? '');
}

function limiter(name: string, limit: number, keyGenerator: (req: Request) => string): RequestHandler {
  return rateLimit({
    windowMs: WINDOW,
    limit,
    identifier: name,
    keyGenerator,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    validate: false,
    handler: (_req: Request, _res: Response, next: NextFunction) =>
      next(
        new Problem(
          'rate_limited',
          `More than ${limit} requests of the class "${name}" within 60 s. Retry after the seconds in Retry-After.`,
        ),
      ),
  });
}
