import { createHash, randomBytes } from 'node:crypto';
import {
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, findBinaries, runnable } from './embedded-binaries.ts';
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
    log(`Making a PostgreSQL ${binaries.major} cluster in ${link}`);
    await create(dataDir, binaries, account, log);
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
  if (found.trim() !== binaries.major) {
    throw new EmbeddedError(
      `${link} was made by PostgreSQL ${found.trim()}, and this is PostgreSQL ${binaries.major}: dump it with ` +
        'the old version and restore it here (pg_dump), or move it away to begin with empty databases.',
    );
  }
}

/** Works in a folder of its own and puts it in place by one rename, so that half a cluster is never seen. */
async function create(
  dataDir: string,
  binaries: Binaries,
  account: Account | undefined,
  log: (message: string) => void,
): Promise<void> {
  const link = join(dataDir, 'postgres');
  let home = await newHome(link, account);
  const elsewhere = account !== undefined && !(await canWrite(account, home));
  if (elsewhere) {
    await rm(home, { recursive: true });
    await makeSharedFolder();
    const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
    for (const name of await readdir(sharedFolder)) {
      if (/^\w+-\w+$/.test(name) && name.startsWith(hash)) {
        log(
          `An earlier cluster of this DATA_DIR is still in ${join(sharedFolder, name)}; delete it if no one needs it`,
        );
      }
    }
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
