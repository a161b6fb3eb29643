import { hash } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { ipKeyGenerator, type Options, type Store } from 'express-rate-limit';
import type { RateLimitClass } from '../../../generated/operations.ts';
import type { Config } from '../../config.ts';
import type { AttemptLimiter, RateLimiter, RateLimiters } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { MemoryCounts } from './memory-counts.ts';
import type { CreateStore } from './shared-counts.ts';

const WINDOW_SECONDS = 60;
const LOCK_SECONDS = 300;

/** By default, this process counts by itself. */
export function createRateLimiters(
  limits: Config['rateLimits'],
  createStore: CreateStore = () => new MemoryCounts(),
): RateLimiters {
  const counter = (key: keyof RateLimiters, name: string, limit: number, options?: CounterOptions) =>
    createRateLimiter(name, limit, createStore(key), options);
  return {
    read: counter('read', 'read', limits.read),
    write: counter('write', 'write', limits.write),
    batch: counter('batch', 'batch', limits.batch),
    search: counter('search', 'search', limits.search),
    analytics: counter('analytics', 'analytics', limits.analytics),
    token: counter('token', 'token-ip', limits.tokenIp),
    tokenClient: counter('tokenClient', 'token-client', limits.tokenClient),
    inbound: counter('inbound', 'inbound', limits.inbound),
    anonymous: counter('anonymous', 'anonymous', limits.anonymous),
    guess: counter('guess', 'anonymous', limits.anonymous),
    badSecret: counter('badSecret', 'bad-secret', limits.badSecret, {
      window: LOCK_SECONDS,
      refuse: clientLocked,
    }),
  };
}

/** Counts a request in the class of its operation, per client or hook, or per IP address if it has neither. */
export async function limitRate(req: Request, _res: Response, next: NextFunction): Promise<void> {
  const counter = req.context.rateLimiters[classOf(req)];
  Object.assign(req.responseHeaders ?? {}, await counter(clientOf(req)));
  next();
}

/** Whose request it is: a client's, a hook's, or else that of an address. */
export function clientOf(req: Request): string {
  return req.principal.clientId ?? req.principal.hookId ?? ip(req);
}

/** Counts a request without a valid credential, per IP address. */
export async function limitAnonymous(req: Request): Promise<void> {
  Object.assign(req.responseHeaders ?? {}, await req.context.rateLimiters.anonymous(ip(req)));
}

/**
 * Limits lookups of unknown secrets, per IP address: once an address has sent as many invalid secrets as it may send
 * requests without a valid credential, further ones are rejected. Counted separately from those requests, since a client
 * that repeats one wrong secret must not lock out others behind the same address.
 */
export function limitGuesses(req: Request): AttemptLimiter {
  return (find) => limitFailures(req.context.rateLimiters.guess, ip(req), find);
}

/**
 * Locks a client out at one IP address after too many wrong secrets, whether or not it exists. Only at that address, so
 * that nobody can lock out a client from elsewhere. The right secret is refused too, and does not end the lock: whoever
 * shares an address with the client could otherwise go on guessing after each of its successes.
 */
export function limitBadSecrets(req: Request): (clientId: string) => AttemptLimiter {
  // Hashed, because some send their secret by mistake, and a shared store must not have it.
  return (clientId) => (authenticate) =>
    limitFailures(
      req.context.rateLimiters.badSecret,
      `${hash('sha256', clientId, 'base64')} ${ip(req)}`,
      authenticate,
    );
}

/** Runs the attempt unless the key has used up its quota of failures. An attempt that finds nothing has failed. */
async function limitFailures<Found>(
  counter: RateLimiter,
  key: string,
  attempt: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (await counter.isExhausted(key)) await counter(key);
  const found = await attempt();
  if (found === undefined) await counter(key);
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

interface CounterOptions {
  /** Seconds. */
  window?: number;
  refuse?: Refuse;
}

/** The 429 of a counter: `limit` in `window` seconds, `seconds` of which are left. */
type Refuse = (
  quota: { name: string; limit: number; window: number; seconds: number },
  headers: Record<string, string>,
) => Problem;

/**
 * A fixed window per key, counted in any Store of express-rate-limit. Without its middleware, which resolves its options
 * and hashes the key on each request; that costs more than counting.
 */
function createRateLimiter(
  name: string,
  limit: number,
  store: Store,
  { window = WINDOW_SECONDS, refuse = rateLimited }: CounterOptions = {},
): RateLimiter {
  store.init?.({ windowMs: window * 1000 } as Options);
  const policy = `"${name}"; q=${limit}; w=${window}`;
  const increment = async (key: string) => {
    const counted = await store.increment(key);
    // Unless the clock was set back: the window would last that much longer.
    if (secondsUntil(counted.resetTime) <= window) return counted;
    await store.resetKey(key);
    return store.increment(key);
  };
  const count = async (key: string) => {
    const { totalHits, resetTime } = await increment(key);
    const seconds = Math.max(1, resetTime === undefined ? window : secondsUntil(resetTime));
    const headers = {
      RateLimit: `"${name}"; r=${Math.max(0, limit - totalHits)}; t=${seconds}`,
      'RateLimit-Policy': policy,
    };
    if (totalHits <= limit) return headers;
    throw refuse({ name, limit, window, seconds }, { ...headers, 'Retry-After': String(seconds) });
  };
  const isExhausted = async (key: string) => ((await store.get?.(key))?.totalHits ?? 0) >= limit;
  return Object.assign(count, { isExhausted });
}

function rateLimited(...[{ name, limit, window, seconds }, headers]: Parameters<Refuse>): Problem {
  const message = `Too many requests: the class "${name}" allows ${limit} in ${window} seconds. Try again in ${seconds} seconds.`;
  return new Problem('rate_limited', message, { headers });
}

function clientLocked(...[{ seconds }, headers]: Parameters<Refuse>): Problem {
  const message = `Too many wrong secrets for this client came from your address. Until the lock ends, the right secret is refused too. Try again in ${seconds} seconds.`;
  return new Problem('client_locked', message, { headers });
}

function secondsUntil(time: Date | undefined): number {
  return Math.ceil(((time?.getTime() ?? 0) - Date.now()) / 1000);
}
