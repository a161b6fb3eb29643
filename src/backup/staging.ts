import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { shareFolder, takeFolder } from '../process/folder-lock.ts';

/** PostgreSQL may still write there while it is being killed. */
const thoroughly = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };

/**
 * Runs a task with a new folder whose name begins with the prefix, and removes it afterwards. Also removes those that killed
 * processes have left. Only this user can enter it.
 */
export async function withStaging<Result>(
  parent: string,
  prefix: string,
  task: (folder: string) => Promise<Result>,
): Promise<Result> {
  await removeLeft(parent, prefix);
  const folder = await mkdtemp(join(parent, prefix));
  const lock = shareFolder(folder);
  const remove = () => rmSync(folder, thoroughly);
  process.once('exit', remove);
  try {
    return await task(folder);
  } finally {
    await rm(folder, thoroughly);
    lock.release();
    process.off('exit', remove);
  }
}

async function removeLeft(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    try {
      const lock = takeFolder(join(parent, name));
      await rm(join(parent, name), thoroughly);
      lock.release();
    } catch {
      // Another command is using it.
    }
  }
}
