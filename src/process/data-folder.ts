import { readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasDatabase, noDatabase } from '../embedded-postgres/cluster.ts';
import { findPostmaster } from '../embedded-postgres/postmaster.ts';
import { shellWord } from '../values/shell-word.ts';

/** What the service writes into DATA_DIR beside its databases, including what a killed process has left. */
const ownFiles = /^(postgres\.log|postgres\.new-.*|(credentials\.json|secret\.key)(\..*\.new)?)$/;

/** Throws if the folder has no data, or if a service or a command uses them. */
export async function checkUnused(dataDir: string): Promise<void> {
  const names = await namesIn(dataDir);
  if (!(await hasDatabase(dataDir)) && !names.some((name) => ownFiles.test(name))) throw noDatabase(dataDir);
  const home = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
  if (home === undefined || findPostmaster({ data: join(home, 'data') }) === undefined) return;
  throw new Error(`A service or a command is using ${shellWord(dataDir)}. Stop it first.`);
}

/** Deletes the service's data, and the folder if that leaves it empty. Returns the names of files that are not the service's. */
export async function removeFolder(dataDir: string): Promise<string[]> {
  const names = await namesIn(dataDir);
  // The key is the last to go: without it, an interrupted removal could not be repeated.
  const own = names.filter((name) => ownFiles.test(name)).sort();
  if (await hasDatabase(dataDir)) await removeDatabase(join(dataDir, 'postgres'));
  for (const name of own) await rm(join(dataDir, name), { recursive: true, force: true });
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
