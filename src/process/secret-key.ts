import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** The 32-byte key that encrypts secrets in the databases: SECRET_KEY, or else one generated once and stored in DATA_DIR. */
export async function openSecretKey({
  secretKey,
  dataDir,
}: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Buffer> {
  if (secretKey !== undefined) return secretKey;
  const file = join(dataDir, 'secret.key');
  await mkdir(dataDir, { recursive: true });
  try {
    // "wx": if two processes start at once, one creates the key and the other reads it.
    await writeFile(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64');
  if (key.length !== 32)
    throw new Error(`${file} must contain 32 bytes in base64, but contains ${key.length}.`);
  return key;
}
