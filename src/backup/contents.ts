import { createHash } from 'node:crypto';
import type { OpenSession } from '../db/session.ts';
import { decrypt, type SecretKey } from '../values/secrets.ts';
import { findEncryptedKeys, type Tables } from './queries.ts';

/** Throws unless the key decrypts the signing key of the database. */
export async function checkSecretKey(session: OpenSession, key: SecretKey, name: string): Promise<void> {
  const encrypted = await findEncryptedKeys(session);
  try {
    for (const bytes of encrypted) decrypt(key, bytes);
  } catch {
    throw new Error(
      `The secret key does not decrypt the signing key in ${name}: they don't belong together. Find the SECRET_KEY, or the ` +
        'file secret.key, that this database was used with.',
    );
  }
}

/** Recognize keys, and say nothing about them. */
export function fingerprints(keys: SecretKey): string[] {
  return keys.map((key) =>
    createHash('sha256').update('lead-pipeline secret key\n').update(key).digest('hex').slice(0, 16),
  );
}

/** Throws an Error with the remedy unless one of the keys was used when the backup was made. */
export function checkFingerprints(keys: SecretKey, expected: readonly string[], remedy: string): void {
  const found = fingerprints(keys);
  if (found.some((fingerprint) => expected.includes(fingerprint))) return;
  throw new Error(
    `The backup was made with another secret key (fingerprint ${expected.join(' or ')}) than SECRET_KEY (fingerprint ` +
      `${found.join(' or ')}). ${remedy}`,
  );
}

/** Throws if a restored database doesn't have the rows that were backed up. */
export function checkSame(name: string, expected: Tables, found: Tables): void {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const different = [...names].filter((table) => expected[table] !== found[table]);
  if (different.length === 0) return;
  throw new Error(
    `The restored ${name} database differs from the backup in the rows of ${different.join(', ')}.`,
  );
}
