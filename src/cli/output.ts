import { createWriteStream, rmSync } from 'node:fs';
import { access, constants, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { resemble } from '../embedded-postgres/data-dir.ts';

/** The file name that stands for standard output. */
export const STDOUT = '-';

/** Throws if the file can't be written. Called early, so that a command fails before it changes data. */
export async function checkOutput(file: string): Promise<void> {
  if (file === STDOUT) return;
  if (file === '') throw new Error('The name of the output file is empty.');
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new Error(`${file} is a folder. Name a file.`);
  const needed = found === undefined || found.isFile() ? dirname(file) : file;
  await access(needed, constants.W_OK);
}

/** Writes the text. The file gets its name when it is complete. */
export async function writeFile(
  file: string,
  chunks: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<void> {
  await checkOutput(file);
  const found = file === STDOUT ? undefined : await stat(file).catch(() => undefined);
  const stopping = new AbortController();
  try {
    const text = chunks(stopping.signal);
    if (file === STDOUT) await pipeline(text, process.stdout, { end: false });
    else if (found === undefined || found.isFile()) await replace(file, text);
    // A rename would replace a device or a named pipe with a file.
    else await pipeline(text, createWriteStream(file));
  } finally {
    stopping.abort();
  }
}

/** A new file has mode 600, since it has personal data. An existing one keeps its owner and mode. */
async function replace(file: string, text: AsyncIterable<string>): Promise<void> {
  // Don't replace a symbolic link, but its target.
  const target = await realpath(file).catch(() => file);
  // Two commands may write to the same file.
  const partial = `${target}.${process.pid}.part`;
  const remove = () => rmSync(partial, { force: true });
  process.once('exit', remove);
  try {
    await pipeline(text, createWriteStream(partial, { mode: 0o600 }));
    await resemble(partial, target);
    await rename(partial, target);
  } finally {
    remove();
    process.off('exit', remove);
  }
}
