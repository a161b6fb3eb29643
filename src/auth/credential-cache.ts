import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../principal.ts';
import { Problem } from '../problem.ts';

const CAPACITY = 10_000;
const REFUSED_CAPACITY = 1_000;
/** How long a rejected credential stays cached. It may become valid when this machine's clock is corrected. Milliseconds. */
const REFUSED_TTL = 10_000;

/**
 * Caches verified credentials until they expire or any credential changes: verifying a token costs as much as the rest of
 * a read. Also caches rejected ones, which a client may send repeatedly, in a separate cache so that they don't evict valid
 * ones. Keyed by hash, so that a memory dump contains no usable token.
 */
export function createCredentialCache() {
  const principals = new LRUCache<string, Principal>({ max: CAPACITY });
  const refused = new LRUCache<string, Problem>({ max: REFUSED_CAPACITY, ttl: REFUSED_TTL });
  let generation = 0;
  const counts = { hits: 0, misses: 0 };

  function remembered<Value>(value: Value): Value {
    counts.hits += 1;
    return value;
  }

  async function verified(
    key: string,
    trusted: boolean,
    verify: () => Promise<Principal>,
  ): Promise<Principal> {
    // A credential revoked during verification must not be cached as valid.
    const startedIn = generation;
    const isCurrent = () => trusted && generation === startedIn;
    try {
      const principal = await verify();
      if (isCurrent()) principals.set(key, principal);
      return principal;
    } catch (error) {
      if (error instanceof Problem && error.status === 401 && isCurrent()) refused.set(key, error);
      throw error;
    }
  }

  return {
    /** Cache hits and misses. */
    counts: () => counts,
    /**
     * Returns the cached principal, or throws the cached Problem, or calls `verify`. With `trusted` false (revocations may
     * have been missed) the cache is neither read nor written. Returns a cached principal without a promise.
     */
    remember(
      credential: string,
      trusted: boolean,
      verify: () => Promise<Principal>,
    ): Principal | Promise<Principal> {
      const key = hash('sha256', credential, 'base64');
      const known = trusted ? principals.get(key) : undefined;
      if (known !== undefined && (known.expiresAt === null || known.expiresAt.getTime() > Date.now()))
        return remembered(known);
      const problem = trusted ? refused.get(key) : undefined;
      if (problem !== undefined) throw remembered(problem);
      counts.misses += 1;
      return verified(key, trusted, verify);
    },
    /** Incremented whenever the cache is emptied. */
    generation: () => generation,
    /** Empties the cache, because the state of some credential has changed. */
    clear() {
      generation += 1;
      principals.clear();
      refused.clear();
    },
  };
}
