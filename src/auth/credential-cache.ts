import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Problem } from '../http/problem.ts';
import type { Principal } from './principal.ts';

const CAPACITY = 10_000;
const REFUSED_CAPACITY = 1_000;

export interface CredentialCache {
  /**
   * The principal of this credential, or the Problem with it: remembered, or found out by `verify`. With `trusted` false
   * (revocations may have gone unheard) nothing remembered is believed, and nothing found out is kept.
   */
  remember(credential: string, trusted: boolean, verify: () => Promise<Principal>): Promise<Principal>;
  /** Forgets everything: some credential's state has changed. */
  clear(): void;
}

/**
 * Verified credentials, until they expire or anything about credentials changes: verifying a token costs as much as
 * the rest of a read. And refused ones, which a client may send over and over; kept apart, so that they push no valid
 * one out. Keyed by hash, so that a memory dump holds no usable token.
 */
export function createCredentialCache(): CredentialCache {
  const principals = new LRUCache<string, Principal>({ max: CAPACITY });
  const refused = new LRUCache<string, Problem>({ max: REFUSED_CAPACITY });
  let generation = 0;

  return {
    async remember(credential, trusted, verify) {
      const key = hash('sha256', credential, 'base64');
      const known = trusted ? principals.get(key) : undefined;
      if (known !== undefined && (known.expiresAt === null || known.expiresAt.getTime() > Date.now()))
        return known;
      const problem = trusted ? refused.get(key) : undefined;
      if (problem !== undefined) throw problem;
      // What is revoked while it is being verified must not be remembered as valid.
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
    },
    clear() {
      generation += 1;
      principals.clear();
      refused.clear();
    },
  };
}
