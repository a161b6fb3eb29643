import { replaceEncrypted } from '../db/encrypted.ts';
import type { Environment } from '../environment.ts';
import { replaceStoredKey } from '../process/secret-key.ts';
import { encryptAgain, type SecretKey } from '../values/secrets.ts';
import { withDatabase } from './database.ts';
import { readConfig } from './read-config.ts';
import type { Report } from './report.ts';
import { UsageError } from './usage-error.ts';

/**
 * Encrypts all stored secrets again with SECRET_KEY, in both environments. Needs SECRET_KEY_OTHER, the key so far. May be
 * interrupted and repeated, and runs beside the service.
 */
export async function rotateSecretKey(): Promise<Report> {
  const { secretKey, dataDir, databases, environments } = readConfig();
  if (secretKey === undefined || secretKey.length < 2) {
    throw new UsageError(
      'Set SECRET_KEY to the new key and SECRET_KEY_OTHER to the one so far, for this command and for all processes of the ' +
        'service. docs/operation.md#the-secret-key has the steps.',
    );
  }
  const data: Record<string, string | number>[] = [];
  for (const environment of environments)
    data.push({ environment, ...(await rotateIn(environment, secretKey)) });
  // Only now, when both databases need it.
  const file = databases === undefined ? await replaceStoredKey(dataDir, secretKey[0]) : undefined;
  const stored = file === undefined ? '' : ` ${file} has the new key.`;
  return { title: `All secrets are encrypted with SECRET_KEY.${stored} Encrypted again:`, data };
}

function rotateIn(environment: Environment, keys: SecretKey): Promise<Record<string, number>> {
  return withDatabase(environment, ({ db }) =>
    replaceEncrypted(db, (value, table) => {
      try {
        return encryptAgain(keys, value);
      } catch {
        throw new Error(
          `${table} of ${environment} has a secret that neither SECRET_KEY nor SECRET_KEY_OTHER decrypts. Perhaps another ` +
            'rotation to a different key was in between. What is encrypted again stays so; repeat the command with the right keys.',
        );
      }
    }),
  );
}
