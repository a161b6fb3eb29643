import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { ipKeyGenerator, type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import type { RateLimitClass } from '../../../generated/operations.ts';
import type { Config } from '../../config.ts';
import type { AttemptLimiter, RateLimiter, RateLimiters } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { MemoryCounts } from './memory-counts.ts';
import type { CreateStore } from './shared-counts.ts';

const WINDOW_SECONDS = 60;
const LOCK_SECONDS = 300;

/** Without `createStore`, this process counts by itself. */
export function createRateLimiters(
  limits: Config['rateLimits'],
  createStore: CreateStore = () => new MemoryCounts(),
): RateLimiters {
  const limiter = (key: keyof RateLimiters, name: string, limit: number, options?: LimiterOptions) =>
    createRateLimiter(name, limit, createStore(key), options);
  return {
    read: limiter('read', 'read', limits.read),
    write: limiter('write', 'write', limits.write),
    batch: limiter('batch', 'batch', limits.batch),
    search: limiter('search', 'search', limits.search),
    analytics: limiter('analytics', 'analytics', limits.analytics),
    token: limiter('token', 'token-ip', limits.tokenIp),
    tokenClient: limiter('tokenClient', 'token-client', limits.tokenClient),
    inbound: limiter('inbound', 'inbound', limits.inbound),
    anonymous: limiter('anonymous', 'anonymous', limits.anonymous),
    guess: limiter('guess', 'anonymous', limits.anonymous),
    badSecret: limiter('badSecret', 'bad-secret', limits.badSecret, {
      window: LOCK_SECONDS,
      refuse: clientLocked,
    }),
  };
}

/** Counts a request in the class of its operation, per client or hook, or per IP address if it has neither. */
export async function limitRate(req: Request, _res: Response, next: NextFunction): Promise<void> {
  const limiter = req.context.rateLimiters[classOf(req)];
  Object.assign(req.responseHeaders ?? {}, await limiter.count(req, clientOf(req)));
  next();
}

/** Identifies the sender: the client, the hook, or else the IP address. */
export function clientOf(req: Request): string {
  return req.principal.clientId ?? req.principal.hookId ?? ip(req);
}

/** Counts a request without a valid credential, per IP address. */
export async function limitAnonymous(req: Request): Promise<void> {
  Object.assign(req.responseHeaders ?? {}, await req.context.rateLimiters.anonymous.count(req, ip(req)));
}

/**
 * Limits lookups of unknown secrets, per IP address. An address may send as many invalid secrets as requests without a valid
 * credential. The two are counted separately: a client that repeats one wrong secret must not lock out others behind the
 * same address.
 */
export function limitGuesses(req: Request): AttemptLimiter {
  return (find) => limitFailures(req, req.context.rateLimiters.guess, ip(req), find);
}

/**
 * Locks a client out at one IP address after too many wrong secrets, whether or not it exists. Only at that address, so
 * that no one can lock out a client from elsewhere. The right secret is rejected too, and does not end the lock. Otherwise,
 * an attacker at the same address could go on guessing after each successful request of the client.
 */
export function limitBadSecrets(req: Request): (clientId: string) => AttemptLimiter {
  // Hashed, because some clients send their secret as the id, and a shared store must not contain it.
  return (clientId) => (authenticate) =>
    limitFailures(
      req,
      req.context.rateLimiters.badSecret,
      `${hash('sha256', clientId, 'base64')} ${ip(req)}`,
      authenticate,
    );
}

/** Runs the attempt unless the key has used up its quota of failures. An attempt that finds nothing has failed. */
async function limitFailures<Found>(
  req: Request,
  limiter: RateLimiter,
  key: string,
  attempt: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (await limiter.isExhausted(key)) await limiter.count(req, key);
  const found = await attempt();
  if (found === undefined) await limiter.count(req, key);
  return found;
}

/** The operation's class, unless a query parameter of the request puts it in another one. */
export function classOf(req: Request): RateLimitClass {
  const { rateLimit: defaultClass, queryRateLimits } = req.match.operation;
  for (const [parameter, parameterClass] of Object.entries(queryRateLimits)) {
    if (parameter in req.query) return parameterClass;
  }
  return defaultClass;
}

/** The IP address; for IPv6 its /56, the block that a subscriber gets. */
function ip(req: Request): string {
  return ipKeyGenerator(req.ip ?? '');
}

interface LimiterOptions {
  /** Seconds. */
  window?: number;
  refuse?: Refuse;
}

/** Creates a limiter's 429: `limit` requests in `window` seconds, of which `seconds` are left. */
type Refuse = (
  quota: { name: string; limit: number; window: number; seconds: number },
  headers: Record<string, string>,
) => Problem;

/** A fixed window per key. express-rate-limit counts. The service sends the headers, together with those of other limits. */
function createRateLimiter(
  name: string,
  limit: number,
  store: Store,
  { window = WINDOW_SECONDS, refuse = rateLimited }: LimiterOptions = {},
): RateLimiter {
  const middleware = rateLimit({
    windowMs: window * 1000,
    limit,
    store,
    keyGenerator: (req) => (req as CountedRequest).rateLimitKey,
    // Continue even beyond the limit: count() throws the 429.
    handler: (_req, _res, next) => next(),
    standardHeaders: false,
    legacyHeaders: false,
    // These look for mistakes in the configuration, on each request.
    validate: false,
  });
  const policy = `"${name}"; q=${limit}; w=${window}`;

  async function count(message: IncomingMessage, key: string): Promise<Record<string, string>> {
    const req = message as CountedRequest;
    req.rateLimitKey = key;
    await new Promise<void>((resolve, reject) => {
      void middleware(req, req.res as Response, (error) => (error === undefined ? resolve() : reject(error)));
    });
    const { used, remaining, resetTime } = req.rateLimit;
    const seconds = resetTime === undefined ? window : Math.max(1, secondsUntil(resetTime));
    const headers = { RateLimit: `"${name}"; r=${remaining}; t=${seconds}`, 'RateLimit-Policy': policy };
    if (used <= limit) return headers;
    throw refuse({ name, limit, window, seconds }, { ...headers, 'Retry-After': String(seconds) });
  }

  return {
    count,
    isExhausted: async (key) => ((await middleware.getKey(key))?.totalHits ?? 0) >= limit,
  };
}

/** A request that the library counts. */
type CountedRequest = Request & { rateLimitKey: string; rateLimit: RateLimitInfo };

function rateLimited(...[{ name, limit, window, seconds }, headers]: Parameters<Refuse>): Problem {
  const message = `Too many requests: the class "${name}" allows ${limit} in ${window} seconds. Try again in ${seconds} seconds.`;
  return new Problem('rate_limited', message, { headers });
}

function clientLocked(...[{ seconds }, headers]: Parameters<Refuse>): Problem {
  const message = `Too many wrong secrets for this client came from your address. Until the lock ends, the right secret is refused too. Try again in ${seconds} seconds.`;
  return new Problem('client_locked', message, { headers });
}

function secondsUntil(time: Date): number {
  return Math.ceil((time.getTime() - Date.now()) / 1000);
}
