import { existsSync } from 'node:fs';
import { readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { hasDatabase, noDatabase } from '../embedded-postgres/cluster.ts';
import { openDataDir } from '../embedded-postgres/data-dir.ts';
import { findPostmaster } from '../embedded-postgres/postmaster.ts';
import { shellWord } from '../values/shell-word.ts';
import { type FolderLock, LOCK_FILE, shareFolder, takeFolder } from './folder-lock.ts';

/** Begins the name of a folder in DATA_DIR in which a copy of its data is made and checked. */
export const COPY_PREFIX = 'postgres.copy-';
/** Begins the name of a folder in DATA_DIR with the data that a restore has replaced. */
export const KEPT_PREFIX = 'before-restore-';

/** What the service writes into DATA_DIR beside its databases, including what a killed process has left. */
const ownFiles = /^(postgres\.log|postgres\.(new|copy)-.*|(credentials\.json|secret\.key)(\..*\.new)?)$/;

/**
 * Marks the data folder as in use, unless the databases are the operator's own. With `create`, makes the folder first. Without,
 * a folder that has no database stays as it is.
 */
export async function shareDataDir(
  { databases, dataDir }: Pick<Config, 'databases' | 'dataDir'>,
  create: boolean,
): Promise<FolderLock> {
  if (databases !== undefined) return { release: () => undefined };
  if (create) await openDataDir(dataDir);
  else if (!(await hasDatabase(dataDir))) throw (await findInterrupted(dataDir)) ?? noDatabase(dataDir);
  const lock = shareFolder(dataDir);
  const fault = await findInterrupted(dataDir);
  if (fault === undefined) return lock;
  lock.release();
  throw fault;
}

/** An error if a restore was killed between moving the former database away and the restored one into place. */
async function findInterrupted(dataDir: string): Promise<Error | undefined> {
  const names = await namesIn(dataDir);
  if (names.includes('postgres')) return undefined;
  const isLeft = (name: string) =>
    name.startsWith(COPY_PREFIX) ||
    (name.startsWith(KEPT_PREFIX) && existsSync(join(dataDir, name, 'postgres')));
  const left = names.find(isLeft);
  if (left === undefined) return undefined;
  return new Error(
    `${shellWord(dataDir)} has the folder ${left}, but no database: a restore was interrupted. Repeat it, or move the ` +
      `content of ${KEPT_PREFIX}… back. To start with empty databases instead, move ${left} elsewhere.`,
  );
}

/** Throws if the folder has no data of the service. */
export async function requireData(dataDir: string): Promise<void> {
  const names = await namesIn(dataDir);
  if (!(await hasDatabase(dataDir)) && !names.some((name) => ownFiles.test(name))) throw noDatabase(dataDir);
}

/** Takes the data folder. Throws if a service or a command uses it. */
export async function takeDataDir(dataDir: string): Promise<FolderLock> {
  const lock = takeFolder(dataDir);
  const home = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
  if (home === undefined || findPostmaster({ data: join(home, 'data') }) === undefined) return lock;
  // The server of a killed process needs a moment to end.
  lock.release();
  throw new Error(`A service or a command is using ${shellWord(dataDir)}. Stop it first.`);
}

/** Deletes the service's data, and the folder if that leaves it empty. Call it with the folder's lock. Returns the names of files that are not the service's. */
export async function removeFolder(dataDir: string): Promise<string[]> {
  const names = await namesIn(dataDir);
  // The key is the last to go: without it, an interrupted removal could not be repeated.
  const own = names.filter((name) => ownFiles.test(name)).sort();
  if (await hasDatabase(dataDir)) await removeDatabase(join(dataDir, 'postgres'));
  for (const name of [...own, LOCK_FILE]) await rm(join(dataDir, name), { recursive: true, force: true });
  const kept = await namesIn(dataDir);
  if (kept.length === 0) await rmdir(dataDir);
  return kept;
}

/** Follows the link, if `postgres` is one. */
async function removeDatabase(link: string): Promise<void> {
  const home = await realpath(link).catch(() => undefined);
  if (home !== undefined) {
    // The password is the last to go: it marks the folder as the service's.
    for (const name of ['data', 'password']) await rm(join(home, name), { recursive: true, force: true });
    // A file of somebody else, or a mount, keeps the folder.
    await rmdir(home).catch(() => undefined);
  }
  await rm(link, { force: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_FS_EISDIR') throw error;
  });
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}
