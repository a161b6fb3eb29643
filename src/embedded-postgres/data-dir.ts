import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { shellWord } from '../values/shell-word.ts';
import { type Account, EmbeddedError, OTHER_USER } from './user.ts';

/** Creates DATA_DIR unless it exists. Throws EmbeddedError if files can't be stored there. */
export async function openDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.W_OK | constants.X_OK);
    if (!(await stat(dataDir)).isDirectory()) throw new Error(`${dataDir} is not a folder.`);
  } catch (error) {
    throw await unusableDataDir(dataDir, error as NodeJS.ErrnoException);
  }
}

/** Creates the folder and its parents. Not with Node's `recursive`: it never returns for a folder below /proc. */
async function makeFolder(folder: string): Promise<void> {
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

/** Says why nothing can be stored in DATA_DIR, and what to do. */
export async function unusableDataDir(
  dataDir: string,
  { errno, path, syscall }: NodeJS.ErrnoException,
): Promise<EmbeddedError> {
  const remedy = 'set DATA_DIR to a folder that you may write to.';
  const begin = `DATA_DIR is ${shellWord(dataDir)}`;
  const other = await nonFolderOn(dataDir);
  const found = await stat(dataDir).catch(() => undefined);
  if (other !== undefined) {
    const which = other === dataDir ? ', which' : `, but ${shellWord(other)}`;
    return new EmbeddedError(`${begin}${which} is not a folder: ${remedy}`);
  }
  const isForeign = found !== undefined && process.getuid?.() !== 0 && found.uid !== process.getuid?.();
  if (isForeign) {
    return new EmbeddedError(`${begin}, which belongs to another user: run this as that user, or ${remedy}`);
  }
  const what =
    syscall === 'mkdir' && path !== undefined
      ? `the folder ${shellWord(path)} can't be created`
      : "files can't be stored there";
  const reason = errno === undefined ? '' : ` (${getSystemErrorMessage(errno)})`;
  return new EmbeddedError(`${begin}, but ${what}${reason}: ${remedy}`);
}

/** The first part of the path that exists and isn't a folder. */
async function nonFolderOn(path: string): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await nonFolderOn(parent);
  if (above !== undefined) return above;
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isDirectory() ? undefined : path;
}

/** The content of a file in DATA_DIR. Undefined if it is missing. */
export async function readDataFile(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(({ code, errno = 0 }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return undefined;
    const why = code === 'EACCES' ? `. ${OTHER_USER}` : `: ${getSystemErrorMessage(errno)}.`;
    throw new EmbeddedError(`${shellWord(file)} can't be read${why}`);
  });
}

/**
 * Replaces a file in DATA_DIR, or creates it with mode 600. Atomic by rename: a process killed midway leaves either the old file
 * or the new one.
 */
export async function writeDataFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.new`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    await resemble(temporary, file);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Gives a new file the owner and the mode of the file that it will replace. Without one, it belongs to the folder's owner.
 * Otherwise a command that root runs would lock the service's user out of its own files.
 */
export async function resemble(file: string, replaced: string): Promise<void> {
  const before = await stat(replaced).catch(() => undefined);
  await giveTo(file, before ?? (await stat(dirname(file))));
  if (before !== undefined) await chmod(file, before.mode & 0o777);
}

/** Only root can give files away. */
async function giveTo(file: string, { uid, gid }: Account): Promise<void> {
  if (process.getuid?.() === 0) await chown(file, uid, gid);
}
