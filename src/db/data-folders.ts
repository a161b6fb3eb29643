import { readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownerFile } from './embedded-cluster.ts';
import { findPostmaster } from './embedded-postmaster.ts';
import { sharedFolder } from './embedded-user.ts';

/** A DATA_DIR and its database, which lies under sharedFolder if PostgreSQL's user can't enter DATA_DIR. */
export interface DataFolder {
  /** Null if it has been deleted, so that nothing uses the database anymore. */
  data_dir: string | null;
  database: string;
  /** Space on disk. */
  size_mib: number;
  status: 'running' | 'stopped' | 'orphaned';
}

/** What the service writes to DATA_DIR. */
const ownNames = /^(postgres|postgres\.log|postgres\.new-.*|secret\.key|credentials\.json(\..*\.new)?)$/;

/** The folder of the database that DATA_DIR has or links to. Undefined if there is none. */
export async function databaseFolder(dataDir: string): Promise<string | undefined> {
  const link = join(dataDir, 'postgres');
  const isDatabase = await stat(join(link, 'data/PG_VERSION')).catch(() => undefined);
  return isDatabase && realpath(link);
}

/** This DATA_DIR, if it has a database, and all whose databases lie under sharedFolder. */
export async function listDataFolders(dataDir: string): Promise<DataFolder[]> {
  const own = await databaseFolder(dataDir);
  const databases = (await names(sharedFolder))
    .filter((name) => name.startsWith('cluster-'))
    .map((name) => join(sharedFolder, name))
    .filter((database) => database !== own);
  const shared = databases.map(async (database) => describe(database, await liveOwnerOf(database)));
  return Promise.all(own === undefined ? shared : [describe(own, dataDir), ...shared]);
}

/**
 * Deletes a database and what else the service has written to its DATA_DIR. `folder` is the DATA_DIR, or a database under
 * sharedFolder. Throws if it is neither, or in use.
 */
export async function removeDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  const isShared = dirname(path) === sharedFolder;
  const database = isShared ? path : await databaseFolder(path);
  const version = database && (await stat(join(database, 'data/PG_VERSION')).catch(() => undefined));
  if (database === undefined || version === undefined) {
    throw new Error(`${path} is not a data folder: it holds no database of this service.`);
  }
  const found = await describe(database, isShared ? await liveOwnerOf(path) : path);
  if (found.status === 'running') throw new Error(`${path} is in use. Stop the service first.`);
  if (found.data_dir !== null) await removeOwn(found.data_dir);
  await rm(database, { recursive: true, force: true });
  return found;
}

async function describe(database: string, owner: string | null): Promise<DataFolder> {
  const isRunning = findPostmaster({ data: join(database, 'data') }) !== undefined;
  return {
    data_dir: owner,
    database,
    size_mib: Math.round((await sizeOf(database)) / 2 ** 20),
    status: isRunning ? 'running' : owner === null ? 'orphaned' : 'stopped',
  };
}

/** Keeps what the user has put there. */
async function removeOwn(dataDir: string): Promise<void> {
  for (const name of await names(dataDir)) {
    if (ownNames.test(name)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  await rmdir(dataDir).catch(() => undefined);
}

/** Null if that DATA_DIR is gone or has another database by now. */
async function liveOwnerOf(database: string): Promise<string | null> {
  const owner = await readFile(join(database, ownerFile), 'utf8').catch(() => null);
  return owner !== null && (await databaseFolder(owner)) === database ? owner : null;
}

/** Bytes. Files of a running server may vanish meanwhile. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true });
  const sizes = entries.map((name) =>
    stat(join(folder, name)).then(
      ({ blocks }) => blocks * 512,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
