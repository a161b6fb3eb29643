import type { NextFunction, Request, Response } from 'express';
import { ipKeyGenerator, MemoryStore, type Options, type Store } from 'express-rate-limit';
import type { RateLimitClass } from '../../generated/operations.ts';
import type { Guess } from '../auth/secret-lookup.ts';
import type { Config } from '../config.ts';
import { Problem } from './problem.ts';

const WINDOW_SECONDS = 60;

export interface Counter {
  /** Counts one request for the key. Gives the headers to answer with, or rejects with a 429 that carries them. */
  (key: string): Promise<Record<string, string>>;
  /** Whether the key has used its quota up. */
  isUsedUp(key: string): Promise<boolean>;
}

/** The counters of one environment. */
export type Counters = Record<RateLimitClass | 'tokenClient' | 'guess', Counter>;

export function createCounters(limits: Config['rateLimits']): Counters {
  return {
    read: createCounter('read', limits.read),
    write: createCounter('write', limits.write),
    search: createCounter('search', limits.search),
    analytics: createCounter('analytics', limits.analytics),
    token: createCounter('token-ip', limits.tokenIp),
    tokenClient: createCounter('token-client', limits.tokenClient),
    inbound: createCounter('inbound', limits.inbound),
    anonymous: createCounter('anonymous', limits.anonymous),
    guess: createCounter('anonymous', limits.anonymous),
  };
}

/** Counts a request in the class of its operation: for its client or hook, or for its IP address where it has none. */
export async function limitRate(req: Request, _res: Response, next: NextFunction): Promise<void> {
  const counter = req.context.counters[classOf(req)];
  Object.assign(req.answer ?? {}, await counter(req.principal.clientId ?? req.principal.hookId ?? ip(req)));
  next();
}

/** Counts a request without a valid credential against its IP address. */
export async function limitAnonymous(req: Request): Promise<void> {
  Object.assign(req.answer ?? {}, await req.context.counters.anonymous(ip(req)));
}

/**
 * How a secret is looked up that was never seen before: not once the address has sent as many that nobody has as it may
 * send requests without a valid credential. They are counted by themselves, since a client that sends one wrong secret
 * over and over must not keep others out who share its address.
 */
export function limitGuesses(req: Request): Guess {
  return async (find) => {
    const { guess } = req.context.counters;
    const address = ip(req);
    if (await guess.isUsedUp(address)) await guess(address);
    const found = await find();
    if (found === undefined) await guess(address);
    return found;
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

/**
 * A window of 60 s for each key, counted in any Store of express-rate-limit. Its middleware is left out: it finds its
 * options anew and hashes the key on each request, which costs more than counting.
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
      `More than ${limit} requests of the class "${name}" within ${WINDOW_SECONDS} s. Retry after the seconds in Retry-After.`,
      { headers: { ...headers, 'Retry-After': String(seconds) } },
    );
  };
  const isUsedUp = async (key: string) => ((await store.get?.(key))?.totalHits ?? 0) >= limit;
  return Object.assign(count, { isUsedUp });
}
