import { randomBytes } from 'node:crypto';
import {
  chown,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from './embedded-binaries.ts';
import {
  type Account,
  canWrite,
  EmbeddedError,
  isTaken,
  makeSharedFolder,
  newFolder,
  postgresAccount,
  reason,
  run,
} from './embedded-user.ts';

/** Superuser of the cluster; the service connects as this user. */
const user = 'lead_pipeline';

/** A PostgreSQL cluster on disk, and what is needed to run it. */
export interface Cluster {
  /** DATA_DIR/postgres, or the target of that link. */
  readonly home: string;
  /** PGDATA. */
  readonly data: string;
  readonly logFile: string;
  readonly password: string;
  /** User to run PostgreSQL as; undefined for the user of this process. */
  readonly account: Account | undefined;
  /** Path of the `postgres` executable. */
  readonly postgres: string;
}

export function databaseUrl({ password }: Cluster, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** Opens DATA_DIR/postgres; creates it atomically if it does not exist. Throws EmbeddedError if it can't be used. */
export async function openCluster(dataDir: string, log: (message: string) => void): Promise<Cluster> {
  const link = join(dataDir, 'postgres');
  await mkdir(dataDir, { recursive: true });
  // lstat, because a dangling link exists too.
  const exists = (await ifFound(lstat(link))) !== undefined;
  const isRoot = process.getuid?.() === 0;
  const account = isRoot ? await (exists ? ownerOf(link) : postgresAccount()) : undefined;
  const { native, major } = await findBinaries(account);
  if (!exists) {
    log(`Creating a PostgreSQL ${major} cluster in ${link}`);
    await create(link, join(native, 'bin', 'initdb'), account);
  }
  const home = await followLink(link);
  const data = join(home, 'data');
  await checkVersion(link, data, major);
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  const logFile = join(dataDir, 'postgres.log');
  return { home, data, logFile, password, account, postgres: join(native, 'bin', 'postgres') };
}

function ifFound<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function ownerOf(link: string): Promise<Account> {
  const { uid, gid } = await stat(await followLink(link));
  if (uid !== 0) return { uid, gid };
  throw new EmbeddedError(
    `${link} is owned by root, and PostgreSQL does not run as root: fix this with chown -RH postgres ${link}.`,
  );
}

async function followLink(link: string): Promise<string> {
  const home = await ifFound(realpath(link));
  if (home !== undefined) return home;
  throw new EmbeddedError(
    `${link} points to a folder that is gone: restore it, or delete the link to start with empty databases.`,
  );
}

async function checkVersion(link: string, data: string, major: string): Promise<void> {
  const found = (await ifFound(readFile(join(data, 'PG_VERSION'), 'utf8')))?.trim();
  if (found === major) return;
  throw new EmbeddedError(
    found === undefined
      ? `${link} holds no PostgreSQL cluster: move it away to have a new one created.`
      : `${link} was created by PostgreSQL ${found}, but this is PostgreSQL ${major}: dump it with the old version ` +
          'and restore it here (pg_dump), or move it away to start with empty databases.',
  );
}

/** Builds the cluster in a temporary folder and moves it into place in one step, so that half a cluster is never seen. */
async function create(link: string, initdb: string, account: Account | undefined): Promise<void> {
  const own = async (path: string) => account && chown(path, account.uid, account.gid);
  let home = await newFolder(link);
  await own(home);
  const isReachable = account === undefined || (await canWrite(account, home));
  try {
    if (!isReachable) {
      await rm(home, { recursive: true });
      // A random name: a cluster whose DATA_DIR was deleted must not be reused.
      home = join(await makeSharedFolder(), `cluster-${randomBytes(8).toString('hex')}`);
      await mkdir(home, { mode: 0o700 });
      await own(home);
    }
    const password = join(home, 'password');
    await writeFile(password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
    await own(password);
    await initialise(home, password, initdb, account);
    await (isReachable ? rename(home, link) : symlink(home, link));
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
}

/** The builtin locale C.UTF-8 maps case in every language and sorts the same on every system. */
async function initialise(
  home: string,
  password: string,
  initdb: string,
  account: Account | undefined,
): Promise<void> {
  const options = [
    `--pgdata=${join(home, 'data')}`,
    `--username=${user}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  await run(initdb, options, account).catch((error: unknown) => {
    throw new EmbeddedError(`PostgreSQL's initdb failed: ${reason(error)}.`);
  });
}
