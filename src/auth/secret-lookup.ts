import { LRUCache } from 'lru-cache';
import type { AttemptLimiter } from '../context.ts';
import type { Environment } from '../environment.ts';
import { hashSecret, hasSecretFormat, type SecretKind } from '../values/secrets.ts';

const CAPACITY = 10_000;
/** How long an unknown secret is not looked up again. Milliseconds. */
const UNKNOWN_TTL = 60_000;

/** Finds the owner of a secret. Undefined if the environment has no such secret. */
type SecretLookup = <Found>(
  kind: SecretKind,
  secret: string,
  limitGuess: AttemptLimiter,
  find: (hash: Buffer) => Promise<Found | undefined>,
) => Promise<Found | undefined>;

/**
 * Protects the database from guessed secrets. Malformed secrets and recently unknown ones are not looked up; secrets never
 * seen before are looked up through `limitGuess`. Secrets found before bypass it, so that someone who guesses can't lock
 * out clients behind the same address. Caching unknown secrets is safe, since secrets are random. Keyed by hash.
 */
export function createSecretLookup(environment: Environment): SecretLookup {
  const unknown = new LRUCache<string, true>({ max: CAPACITY, ttl: UNKNOWN_TTL });
  const known = new LRUCache<string, true>({ max: CAPACITY });
  return async (kind, secret, limitGuess, find) => {
    if (!hasSecretFormat(kind, environment, secret)) return undefined;
    const hash = hashSecret(secret);
    const key = hash.toString('base64');
    if (unknown.has(key)) return undefined;
    const found = known.has(key) ? await find(hash) : await limitGuess(() => find(hash));
    const [target, other] = found === undefined ? [unknown, known] : [known, unknown];
    other.delete(key);
    target.set(key, true);
    return found;
  };
}
