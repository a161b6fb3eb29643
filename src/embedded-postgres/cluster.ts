import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shellWord } from '../values/shell-word.ts';
import { findBinaries } from './binaries.ts';
import { openDataDir } from './data-dir.ts';
import { type Account, EmbeddedError, faultOf, nobody, OTHER_USER, run } from './user.ts';

/** Superuser of the cluster; the service connects as this user. */
const user = 'lead_pipeline';

/** The builtin locale C.UTF-8 maps case in every language and sorts the same on every system. */
const initdbOptions = [
  `--username=${user}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
];

/** A PostgreSQL cluster on disk, and what is needed to run it. */
export interface Cluster {
  /** PGDATA. */
  readonly data: string;
  readonly logFile: string;
  readonly password: string;
  /** User to run PostgreSQL as; undefined for the user of this process. */
  readonly account: Account | undefined;
  /** Path of the `postgres` executable. */
  readonly postgres: string;
}

/** Clients receive their errors in any case. In the server's log, errors would reveal the data that clients sent. */
export function databaseUrl({ password }: Cluster, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}?options=-c%20log_min_messages%3Dlog`;
}

export function noDatabase(dataDir: string): EmbeddedError {
  return new EmbeddedError(
    `There is no database in ${shellWord(dataDir)}. Run the command in the folder of your service, or set DATA_DIR to its data folder. ` +
      'Only npm start and npx lead-pipeline init create a database.',
  );
}

interface OpenOptions {
  log: (message: string) => void;
  /** Whether to create a missing cluster, atomically. */
  create: boolean;
}

/** Opens DATA_DIR/postgres. Throws EmbeddedError if it can't be used. */
export async function openCluster(dataDir: string, { log, create }: OpenOptions): Promise<Cluster> {
  const link = join(dataDir, 'postgres');
  if (create) await openDataDir(dataDir);
  const exists = (await readdir(dataDir).catch(noneIfMissing)).includes('postgres');
  if (!exists && !create) throw noDatabase(dataDir);
  if (exists && !existsSync(link)) {
    throw new EmbeddedError(
      `${shellWord(link)} points to a folder that is gone: restore it, or delete the link to start with empty databases.`,
    );
  }
  const isRoot = process.getuid?.() === 0;
  const account = isRoot ? await (exists ? ownerOf(link) : newOwner(dataDir)) : undefined;
  const { native, major } = await findBinaries(account);
  if (!exists) {
    log(`Creating a PostgreSQL ${major} cluster in ${link}`);
    await createCluster(link, join(native, 'bin', 'initdb'), account);
  }
  const home = await realpath(link);
  const data = join(home, 'data');
  await checkVersion(link, data, major);
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  const logFile = join(dataDir, 'postgres.log');
  return { data, logFile, password, account, postgres: join(native, 'bin', 'postgres') };
}

/** Whether DATA_DIR has a database, or a link to one, which may be gone. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const link = join(dataDir, 'postgres');
  const [home, ...files] = await Promise.all(
    [link, join(link, 'password'), join(link, 'data')].map((path) => lstat(path).catch(undefinedIfMissing)),
  );
  return home?.isSymbolicLink() || files.some((file) => file !== undefined);
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'EACCES')
    throw new EmbeddedError(`${shellWord(error.path ?? '')} can't be read. ${OTHER_USER}`);
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

async function ownerOf(link: string): Promise<Account> {
  const { uid, gid } = await stat(link);
  if (uid !== 0) return { uid, gid };
  throw new EmbeddedError(
    `${shellWord(link)} is owned by root, and PostgreSQL does not run as root. Run: chown -RH nobody ${shellWord(link)}`,
  );
}

/**
 * The user for a new cluster if this process runs as root: the folder's, who may run the service. PostgreSQL runs neither as root
 * nor as a user without an account.
 */
async function newOwner(dataDir: string): Promise<Account> {
  const { uid, gid } = await stat(dataDir);
  const hasAccount = uid !== 0 && (await faultOf('id', ['-un', String(uid)])) === undefined;
  return hasAccount ? { uid, gid } : nobody;
}

async function checkVersion(link: string, data: string, major: string): Promise<void> {
  const found = await readFile(join(data, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new EmbeddedError(
      `${shellWord(link)} holds no PostgreSQL cluster: move it away to have a new one created.`,
    );
  });
  if (found.trim() === major) return;
  throw new EmbeddedError(
    `${shellWord(link)} was created by PostgreSQL ${found.trim()}, but this is PostgreSQL ${major}: dump it with the old ` +
      'version and restore it here (pg_dump), or move it away to start with empty databases.',
  );
}

/** Builds the cluster in a temporary folder and moves it into place in one step, so that half a cluster is never seen. */
async function createCluster(link: string, initdb: string, account: Account | undefined): Promise<void> {
  const home = await mkdtemp(`${link}.new-`);
  try {
    const password = join(home, 'password');
    await writeFile(password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
    if (account) for (const path of [home, password]) await chown(path, account.uid, account.gid);
    await run(initdb, [`--pgdata=${join(home, 'data')}`, `--pwfile=${password}`, ...initdbOptions], account);
    await rename(home, link);
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    // Otherwise another process was faster.
    if (!existsSync(link)) throw error;
  }
  await removeUnfinished(dirname(link));
}

/** Removes what processes left that were killed or overtaken. Retried, because their initdb may still write. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'));
  await Promise.allSettled(names.map((name) => rm(join(dataDir, name), options)));
}
