/** The code of the last released version, from the history of the repository. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Changed with each release, as docs/contributing.md says. It runs with the packages of this version: `typeid-js` is a
 * development dependency for 1.0.0, and goes with it.
 */
export const previous = { version: '1.0.0', commit: 'd093885' };

const project = join(import.meta.dirname, '../..');

/** A folder with its code. Undefined if the repository has not enough history. */
export function previousRelease(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'previous-release-'));
  try {
    const archive = execFileSync(
      'git',
      ['archive', previous.commit, 'src', 'generated', 'package.json', 'CHANGELOG.md'],
      {
        cwd: project,
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 2 ** 28,
      },
    );
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  } catch {
    return undefined;
  }
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

export const noHistory = `the history has no commit ${previous.commit} (version ${previous.version}): git fetch --unshallow`;
