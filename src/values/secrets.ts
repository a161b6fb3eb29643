import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../environment.ts';

const kinds = { secret: 'lps', apiKey: 'lpk', hook: 'lph' } as const;

export type SecretKind = keyof typeof kinds;

/** Generates a 256-bit secret such as `lps_live_…` or `lpk_test_…`. The prefix lets leak scanners identify it. */
export function newSecret(kind: SecretKind, environment: Environment): string {
  return prefix(kind, environment) + randomBytes(32).toString('base64url');
}

/** Whether the text has the format of newSecret(). */
export function hasSecretFormat(kind: SecretKind, environment: Environment, text: string): boolean {
  const start = prefix(kind, environment);
  return text.startsWith(start) && /^[\w-]{43}$/.test(text.slice(start.length));
}

function prefix(kind: SecretKind, environment: Environment): string {
  return `${kinds[kind]}_${environment === 'production' ? 'live' : 'test'}_`;
}

/** SHA-256. No slow hash is needed, since secrets have 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares in constant time. False for an unknown client, whose `expected` is undefined. */
export function secretMatches(secret: string, expected: Buffer | undefined): boolean {
  const actual = hashSecret(secret);
  const equal = timingSafeEqual(actual, expected ?? actual);
  return equal && expected !== undefined;
}

/** Keys of 32 bytes that encrypt stored secrets: SECRET_KEY, and another one while it is being replaced. */
export type SecretKey = readonly [current: Buffer, ...others: Buffer[]];

/** AES-256-GCM: 12-byte nonce, 16-byte tag, ciphertext. */
export function encrypt([key]: SecretKey, plaintext: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Reverses encrypt(), with the key that was the current one then. Throws if no key fits or the bytes were modified. */
export function decrypt([key, ...others]: SecretKey, encrypted: Buffer): string {
  try {
    return decryptBy(key, encrypted);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined) throw error;
    return decrypt([next, ...rest], encrypted);
  }
}

/** The same secret, encrypted with the current key. Undefined if it already is. Throws if no key fits. */
export function encryptAgain(secretKey: SecretKey, encrypted: Buffer): Buffer | undefined {
  try {
    decryptBy(secretKey[0], encrypted);
    return undefined;
  } catch {
    return encrypt(secretKey, decrypt(secretKey, encrypted));
  }
}

function decryptBy(key: Buffer, encrypted: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(encrypted.subarray(12, 28));
  return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8');
}
