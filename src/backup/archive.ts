import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { access, constants, link, lstat, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { shellWord } from '../values/shell-word.ts';
import { runTool } from './run-tool.ts';

// A backup is a tar archive, compressed by gzip, whose checksum covers every byte. The machine's own tar packs and unpacks it:
// it keeps modes, owners and large files, and an operator can open a backup without this service.

/** Throws unless a new file of this name can be created. */
export async function checkNewFile(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found !== undefined) {
    throw new Error(`${shellWord(file)} exists, and a backup never replaces a file. Name a new one.`);
  }
  const folder = dirname(file);
  const parent = await stat(folder).catch(() => undefined);
  if (!parent?.isDirectory())
    throw new Error(`The folder ${shellWord(folder)} doesn't exist. Create it first.`);
  await access(folder, constants.W_OK | constants.X_OK);
}

/**
 * Packs a folder's files, and reads the archive back. The file gets its name when it is complete and on the disk. Only this user
 * can read it.
 */
export async function pack(folder: string, names: readonly string[], file: string): Promise<void> {
  await removeLeftParts(file);
  const part = `${file}.${process.pid}.part`;
  const remove = () => rmSync(part, { force: true });
  process.once('exit', remove);
  try {
    const compressed = createGzip({ level: 3 });
    const args = ['-C', folder, '-cf', '-', ...names];
    await runTool('tar', args, undefined, ({ stdout }) =>
      pipeline(stdout, compressed, createWriteStream(part, { flags: 'wx', mode: 0o600 })),
    );
    await flush(part);
    await checkArchive(part);
    await nameFile(part, file);
    await flush(dirname(file));
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** Unpacks an archive. The files belong to this user. */
export async function unpack(file: string, folder: string): Promise<void> {
  await runTool('tar', ['-C', folder, '-xzpf', file, '--no-same-owner']);
}

/** The text of a file in an archive. Undefined if there is none. Throws if the archive isn't complete. */
export async function readFromArchive(file: string, name: string): Promise<string | undefined> {
  await checkArchive(file);
  let content = '';
  const read = runTool('tar', ['-xzOf', file, name], undefined, async ({ stdout }) => {
    for await (const chunk of stdout.setEncoding('utf8')) content += chunk;
  });
  return read.then(
    () => content,
    () => undefined,
  );
}

/** Reads a whole archive, so that its checksum is compared. */
async function checkArchive(file: string): Promise<void> {
  try {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    await pipeline(createReadStream(file), createGunzip(), nowhere);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw new Error(
      `${shellWord(file)} is damaged, incomplete, or not a backup that data backup has made (${message}).`,
    );
  }
}

/** Unlike rename(), link() fails if the name is taken. Some file systems have no links. */
async function nameFile(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
    await unlink(part);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    await checkNewFile(file);
    await rename(part, file);
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems can't flush a folder.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    await handle.close();
  }
}

/** Removes what a killed process has left of the same backup. */
async function removeLeftParts(file: string): Promise<void> {
  const start = `${basename(file)}.`;
  for (const name of await readdir(dirname(file))) {
    const [, pid] = /^(\d+)\.part$/.exec(name.startsWith(start) ? name.slice(start.length) : '') ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await unlink(join(dirname(file), name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
