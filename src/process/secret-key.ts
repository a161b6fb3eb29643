import { randomBytes, randomUUID } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { hasDatabase } from '../embedded-postgres/cluster.ts';
import {
  openDataDir,
  readDataFile,
  resemble,
  unusableDataDir,
  writeDataFile,
} from '../embedded-postgres/data-dir.ts';
import type { SecretKey } from '../values/secrets.ts';
import { shellWord } from '../values/shell-word.ts';

const RESTORE = 'Restore the file from your backup, or set SECRET_KEY to what it contained.';

/**
 * The keys that encrypt secrets in the databases: SECRET_KEY with SECRET_KEY_OTHER, or else one generated once and stored in
 * DATA_DIR.
 */
export async function openSecretKey({
  secretKey,
  dataDir,
}: Pick<Config, 'secretKey' | 'dataDir'>): Promise<SecretKey> {
  if (secretKey !== undefined) return secretKey;
  const file = join(dataDir, 'secret.key');
  // Check this before reading the file: a concurrent first start creates the key before its database.
  const isNeeded = await hasDatabase(dataDir);
  if (!isNeeded) await openDataDir(dataDir);
  let text = await readDataFile(file);
  if (text === undefined) {
    if (isNeeded) {
      throw new Error(
        `${shellWord(file)} is missing, and the database in ${shellWord(join(dataDir, 'postgres'))} was made with it. ${RESTORE}`,
      );
    }
    await create(file).catch(async (error) => {
      throw await unusableDataDir(dataDir, error);
    });
    text = await readDataFile(file);
  }
  const key = Buffer.from(text ?? '', 'base64');
  if (key.length !== 32) {
    throw new Error(
      `${shellWord(file)} must contain 32 bytes in base64, but contains ${key.length}. ${RESTORE}`,
    );
  }
  return [key];
}

/** Replaces the key in DATA_DIR, if it has one. Returns the file. */
export async function replaceStoredKey(dataDir: string, key: Buffer): Promise<string | undefined> {
  const file = join(dataDir, 'secret.key');
  if ((await readDataFile(file)) === undefined) return undefined;
  await writeDataFile(file, key.toString('base64'));
  return file;
}

/** Atomic: link() fails if the file exists. So only one of several concurrent processes creates the key, and all use it. */
async function create(file: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}.new`;
  try {
    await writeFile(temporary, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600, flush: true });
    await resemble(temporary, file);
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
