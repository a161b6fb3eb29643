import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates the folder and its parents. Not with Node's `recursive`: it never returns for a folder below /proc. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    await mkdirUnlessExists(folder);
  }
}

/** Another process may have been faster. */
async function mkdirUnlessExists(folder: string): Promise<void> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
