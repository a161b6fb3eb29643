import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../environment.ts';

const kinds = { secret: 'lps', apiKey: 'lpk', hook: 'lph' } as const;

export type SecretKind = keyof typeof kinds;

/** A new 256-bit secret, for instance `lps_live_…` or `lpk_test_…`: its prefix tells a leak scanner what it found. */
export function newSecret(kind: SecretKind, environment: Environment): string {
  return prefix(kind, environment) + randomBytes(32).toString('base64url');
}

/** Whether newSecret() could have made it. */
export function isSecret(kind: SecretKind, environment: Environment, text: string): boolean {
  const start = prefix(kind, environment);
  return text.startsWith(start) && /^[\w-]{43}$/.test(text.slice(start.length));
}

function prefix(kind: SecretKind, environment: Environment): string {
  return `${kinds[kind]}_${environment === 'production' ? 'live' : 'test'}_`;
}

/** SHA-256. Secrets are 256-bit random, so there is nothing to slow a guesser down for. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Constant-time; false also for an unknown client, whose `expected` is undefined. */
export function secretMatches(secret: string, expected: Buffer | undefined): boolean {
  const given = hashSecret(secret);
  const equal = timingSafeEqual(given, expected ?? given);
  return equal && expected !== undefined;
}

/** AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext. `key` is the 32 bytes of SECRET_KEY. */
export function encrypt(key: Buffer, plaintext: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Undoes encrypt(). Throws when the key is another one or the bytes were changed. */
export function decrypt(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
