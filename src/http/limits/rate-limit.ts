import { hash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type RateLimitInfo, rateLimit } from 'express-rate-limit';
import type { RateLimitClass } from '../../../generated/operations.ts';
import type { Config } from '../../config.ts';
import type { AttemptLimiter, RateLimiter, RateLimiters } from '../../context.ts';
import { type ClientLimits, limitedClasses } from '../../principal.ts';
import { Problem } from '../../problem.ts';
import { MemoryCounts } from './memory-counts.ts';
import type { CreateStore } from './shared-counts.ts';

const WINDOW_SECONDS = 60;
const LOCK_SECONDS = 300;

/**
 * One limiter of express-rate-limit for each class of operations, and for failures to authenticate. Without `createStore`, this
 * process counts by itself.
 */
export function createRateLimiters(
  limits: Config['rateLimits'],
  createStore: CreateStore = () => new MemoryCounts(),
): RateLimiters {
  const limiter = (
    key: keyof RateLimiters,
    identifier: string,
    limit: number,
    { window = WINDOW_SECONDS, refuse = rateLimited, isShown = true }: LimiterOptions = {},
  ): RateLimiter => {
    const counter = rateLimit({
      windowMs: window * 1000,
      // Without a valid credential, there is no principal.
      limit: ({ principal }) => principal?.limits[key as keyof ClientLimits] ?? limit,
      identifier,
      store: createStore(key),
      standardHeaders: isShown && 'draft-8',
      legacyHeaders: false,
      keyGenerator: (req) => (req as CountedRequest).rateLimitKey ?? clientOf(req),
      handler: (req, _res, next) =>
        next(refuse({ name: identifier, limit, window, ...(req as CountedRequest).rateLimit })),
      // These look for mistakes in the configuration, on each request.
      validate: false,
    });
    return Object.assign(counter, { limit });
  };
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
    // Counted as `anonymous` too, which is shown.
    guess: limiter('guess', 'anonymous', limits.anonymous, { isShown: false }),
    badSecret: limiter('badSecret', 'bad-secret', limits.badSecret, {
      window: LOCK_SECONDS,
      refuse: clientLocked,
    }),
  };
}

/** Counts a request in the class of its operation, per client or hook, or per IP address if it has neither. */
export const limitRate: RequestHandler = (req, _res, next) =>
  req.context.rateLimiters[classOf(req)](req, headersOf(req), next);

/** How many requests in 60 seconds the client of the request may send. */
export function limitsOf({ context, principal }: Request): Required<ClientLimits> {
  const limits = limitedClasses.map((name) => [
    name,
    principal.limits[name] ?? context.rateLimiters[name].limit,
  ]);
  return Object.fromEntries(limits);
}

/**
 * Takes the headers of a limiter, which are sent with the others. As headers of the response, they would make Node handle all
 * of its headers one by one: a read would take a sixth more CPU.
 */
function headersOf({ responseHeaders = {} }: Request): Response {
  const taker: Pick<Response, 'headersSent' | 'append' | 'setHeader'> = {
    headersSent: false,
    // Of Retry-After, which the 429 has.
    setHeader: () => taker as Response,
    append(name, value) {
      const previous = responseHeaders[name];
      responseHeaders[name] = previous === undefined ? String(value) : `${previous}, ${value}`;
      return taker as Response;
    },
  };
  return taker as Response;
}

/** Counts the request for the key. Rejects with a 429 beyond the limit. */
export function countFor(req: Request, limiter: RateLimiter, key: string): Promise<void> {
  const counted: CountedRequest = req;
  counted.rateLimitKey = key;
  return new Promise((resolve, reject) => {
    void limiter(req, headersOf(req), (error) => (error === undefined ? resolve() : reject(error)));
  });
}

/** Identifies the sender: the client, the hook, or else the IP address. */
export function clientOf(req: Request): string {
  return req.principal.clientId ?? req.principal.hookId ?? ip(req);
}

/** Counts a request without a valid credential, per IP address. */
export function limitAnonymous(req: Request): Promise<void> {
  return countFor(req, req.context.rateLimiters.anonymous, ip(req));
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
  const counted = await limiter.getKey(key);
  if (counted !== undefined && counted.totalHits >= limiter.limit) await countFor(req, limiter, key);
  const found = await attempt();
  if (found === undefined) await countFor(req, limiter, key);
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

/** A request that the library counts. */
type CountedRequest = Request & { rateLimitKey?: string; rateLimit?: RateLimitInfo };

interface LimiterOptions {
  /** Seconds. */
  window?: number;
  refuse?: (quota: Quota) => Problem;
  /** Whether responses show what is left. */
  isShown?: boolean;
}

/** A quota that is exhausted: `limit` requests in `window` seconds. */
interface Quota extends Partial<RateLimitInfo> {
  name: string;
  limit: number;
  window: number;
}

function rateLimited(quota: Quota): Problem {
  const { name, limit, window } = quota;
  const seconds = secondsLeft(quota);
  const message = `Too many requests: the class "${name}" allows ${limit} in ${window} seconds. Try again in ${seconds} seconds.`;
  return new Problem('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

function clientLocked(quota: Quota): Problem {
  const seconds = secondsLeft(quota);
  const message = `Too many wrong secrets for this client came from your address. Until the lock ends, the right secret is refused too. Try again in ${seconds} seconds.`;
  return new Problem('client_locked', message, { headers: { 'Retry-After': String(seconds) } });
}

function secondsLeft({ resetTime, window }: Quota): number {
  if (resetTime === undefined) return window;
  return Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1000));
}
