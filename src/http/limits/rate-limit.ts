import type { NextFunction, Request, Response } from 'express';
import { ipKeyGenerator, MemoryStore, type Options, type Store } from 'express-rate-limit';
import type { RateLimitClass } from '../../../generated/operations.ts';
import type { GuessLimiter } from '../../auth/secret-lookup.ts';
import type { Config } from '../../process/config.ts';
import { Problem } from '../errors/problem.ts';

const WINDOW_SECONDS = 60;

export interface Counter {
  /** Counts one request for the key. Returns the RateLimit headers, or rejects with a 429 that has them. */
  (key: string): Promise<Record<string, string>>;
  /** Whether the key has exhausted its quota. */
  isExhausted(key: string): Promise<boolean>;
}

/** Rate limit counters of one environment. */
export type Counters = Record<RateLimitClass | 'tokenClient' | 'guess', Counter>;

export function createCounters(limits: Config['rateLimits']): Counters {
  return {
    read: createCounter('read', limits.read),
    write: createCounter('write', limits.write),
    batch: createCounter('batch', limits.batch),
    search: createCounter('search', limits.search),
    analytics: createCounter('analytics', limits.analytics),
    token: createCounter('token-ip', limits.tokenIp),
    tokenClient: createCounter('token-client', limits.tokenClient),
    inbound: createCounter('inbound', limits.inbound),
    anonymous: createCounter('anonymous', limits.anonymous),
    guess: createCounter('anonymous', limits.anonymous),
  };
}

/** Counts a request in the class of its operation, per client or hook, or per IP address if it has neither. */
export async function limitRate(req: Request, _res: Response, next: NextFunction): Promise<void> {
  const counter = req.context.counters[classOf(req)];
  Object.assign(
    req.responseHeaders ?? {},
    await counter(req.principal.clientId ?? req.principal.hookId ?? ip(req)),
  );
  next();
}

/** Counts a request without a valid credential, per IP address. */
export async function limitAnonymous(req: Request): Promise<void> {
  Object.assign(req.responseHeaders ?? {}, await req.context.counters.anonymous(ip(req)));
}

/**
 * Limits lookups of unknown secrets, per IP address: once an address has sent as many invalid secrets as it may send
 * requests without a valid credential, further ones are rejected. Counted separately from those requests, since a client
 * that repeats one wrong secret must not lock out others behind the same address.
 */
export function limitGuesses(req: Request): GuessLimiter {
  return async (find) => {
    const { guess } = req.context.counters;
    const address = ip(req);
    if (await guess.isExhausted(address)) await guess(address);
    const found = await find();
    if (found === undefined) await guess(address);
    return found;
  };
}

/** The operation's class, unless a query parameter of the request puts it in another one. */
function classOf(req: Request): RateLimitClass {
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

/**
 * A fixed window of 60 s per key, counted in any Store of express-rate-limit. Without its middleware, which resolves its
 * options and hashes the key on each request; that costs more than counting.
 */
function createCounter(name: string, limit: number, store: Store = new MemoryStore()): Counter {
  store.init?.({ windowMs: WINDOW_SECONDS * 1000 } as Options);
  const policy = `"${name}"; q=${limit}; w=${WINDOW_SECONDS}`;
  const count = async (key: string) => {
    const { totalHits, resetTime } = await store.increment(key);
    const wait = Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000);
    const seconds = Math.max(1, resetTime === undefined ? WINDOW_SECONDS : wait);
    const headers = {
      RateLimit: `"${name}"; r=${Math.max(0, limit - totalHits)}; t=${seconds}`,
      'RateLimit-Policy': policy,
    };
    if (totalHits <= limit) return headers;
    throw new Problem(
      'rate_limited',
      `Too many requests: the class "${name}" allows ${limit} in ${WINDOW_SECONDS} seconds. Try again in ${seconds} seconds.`,
      { headers: { ...headers, 'Retry-After': String(seconds) } },
    );
  };
  const isExhausted = async (key: string) => ((await store.get?.(key))?.totalHits ?? 0) >= limit;
  return Object.assign(count, { isExhausted });
}
