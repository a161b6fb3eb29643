import { LRUCache } from 'lru-cache';
import type { Environment } from '../environment.ts';
import { hashSecret, isSecret, type SecretKind } from './secrets.ts';

const CAPACITY = 10_000;
/** How long a secret that nobody has is not asked for again (milliseconds). */
const MEMORY = 60_000;

/** Asks the database about a secret that may be made up; rejects with a 429 where too many of them were. */
export type Guess = <Found>(find: () => Promise<Found | undefined>) => Promise<Found | undefined>;

/** What belongs to this secret, if it is one of the environment. */
export type SecretLookup = <Found>(
  kind: SecretKind,
  secret: string,
  guess: Guess,
  find: (hash: Buffer) => Promise<Found | undefined>,
) => Promise<Found | undefined>;

/**
 * Made-up secrets cost the database next to nothing: what has not their shape and what nobody had a moment ago is not
 * asked for, and what was never seen before is a guess. One that was once found is none, so that whoever guesses keeps
 * nobody out who shares an address with him. What nobody has stays so: secrets are drawn at random. Kept by their hashes.
 */
export function createSecretLookup(environment: Environment): SecretLookup {
  const unknown = new LRUCache<string, true>({ max: CAPACITY, ttl: MEMORY });
  const known = new LRUCache<string, true>({ max: CAPACITY });
  return async (kind, secret, guess, find) => {
    if (!isSecret(kind, environment, secret)) return undefined;
    const hash = hashSecret(secret);
    const key = hash.toString('base64');
    if (unknown.has(key)) return undefined;
    const found = known.has(key) ? await find(hash) : await guess(() => find(hash));
    const [now, before] = found === undefined ? [unknown, known] : [known, unknown];
    before.delete(key);
    now.set(key, true);
    return found;
  };
}
