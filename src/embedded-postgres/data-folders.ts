import { lstat, readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownerFile } from './cluster.ts';
import { findPostmaster } from './postmaster.ts';
import { EmbeddedError, OTHER_USER, sharedFolder } from './user.ts';

/** A DATA_DIR and its database, which lies under sharedFolder if PostgreSQL's user can't enter DATA_DIR. */
export interface DataFolder {
  /** Null if the database does not record it, as those of older versions. */
  data_dir: string | null;
  database: string;
  /** Space on disk. */
  size_mib: number;
  /** `orphaned`: the DATA_DIR has been deleted, or has another database by now. */
  status: 'running' | 'stopped' | 'orphaned';
}

/** What the service writes to DATA_DIR besides the database. */
const ownNames = /^(postgres\.log|postgres\.new-.*|secret\.key(\..*\.new)?|credentials\.json(\..*\.new)?)$/;
/** What it writes to the folder of a database. The password is the last to be deleted, since a database is known by it. */
const databaseNames = [ownerFile, 'data', 'password'];

/** The folder of the database that DATA_DIR has or links to. Undefined if there is none. */
export async function databaseFolder(dataDir: string): Promise<string | undefined> {
  const link = join(dataDir, 'postgres');
  return (await isDatabase(link)) ? realpath(link) : undefined;
}

/** Whether DATA_DIR has a database, or a link to one, which may be gone. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const link = join(dataDir, 'postgres');
  const found = await lstat(link).catch(undefinedIfMissing);
  return found !== undefined && (found.isSymbolicLink() || isDatabase(link));
}

/** This DATA_DIR, if it has a database, and all whose databases lie under sharedFolder, as far as this user may read them. */
export async function listDataFolders(dataDir: string): Promise<DataFolder[]> {
  const own = await databaseFolder(dataDir);
  const shared = (await names(sharedFolder))
    .filter((name) => name.startsWith('cluster-'))
    .map((name) => join(sharedFolder, name));
  const contents = await Promise.all(shared.map(names));
  const others = shared.filter(
    (database, index) => database !== own && contents[index]?.includes('password'),
  );
  const folders = others.map(async (database) => describe(database, await ownerOf(database)));
  return Promise.all(own === undefined ? folders : [describe(own, dataDir), ...folders]);
}

/** What removeDataFolder() would delete. `folder` is a DATA_DIR, or a database under sharedFolder. Throws if it is neither, or in use. */
export async function findDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  const isShared = dirname(path) === sharedFolder;
  const database = isShared ? path : await databaseFolder(path);
  if (database === undefined || !(await isDatabase(database))) {
    throw new Error(`${path} is not a data folder: it holds no database of this service.`);
  }
  const found = await describe(database, isShared ? await ownerOf(database) : path);
  if (found.status === 'running') throw new Error(`${path} is in use. Stop the service first.`);
  return found;
}

/** Deletes a database and what else the service has written to its DATA_DIR. Throws what findDataFolder() throws. */
export async function removeDataFolder(folder: string): Promise<DataFolder> {
  const found = await findDataFolder(folder);
  const { database } = found;
  for (const name of databaseNames) await rm(join(database, name), { recursive: true, force: true });
  await rmdir(database).catch(() => undefined);
  if (found.status === 'stopped' && found.data_dir !== null) await removeOwn(found.data_dir);
  return found;
}

async function describe(database: string, dataDir: string | null): Promise<DataFolder> {
  const isRunning = findPostmaster({ data: join(database, 'data') }) !== undefined;
  const isLinked = dataDir === null || (await databaseFolder(dataDir)) === database;
  return {
    data_dir: dataDir,
    database,
    size_mib: Math.round((await sizeOf(database)) / 2 ** 20),
    status: isRunning ? 'running' : isLinked ? 'stopped' : 'orphaned',
  };
}

/** Keeps what the user has put there. */
async function removeOwn(dataDir: string): Promise<void> {
  const link = join(dataDir, 'postgres');
  if ((await lstat(link).catch(() => undefined))?.isSymbolicLink()) await rm(link);
  for (const name of await names(dataDir)) {
    if (ownNames.test(name)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  await rmdir(dataDir).catch(() => undefined);
}

async function ownerOf(database: string): Promise<string | null> {
  return readFile(join(database, ownerFile), 'utf8').catch(() => null);
}

async function isDatabase(folder: string): Promise<boolean> {
  return (await stat(join(folder, 'password')).catch(undefinedIfMissing)) !== undefined;
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'EACCES') throw new EmbeddedError(`${error.path} can't be read. ${OTHER_USER}`);
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
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
