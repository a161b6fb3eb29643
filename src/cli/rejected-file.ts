import { createWriteStream } from 'node:fs';
import { access, constants, rm, stat } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { rowFormats, toText } from '../http/rows/formats.ts';
import { exportRejectedRows } from '../imports/export-rejected-rows.ts';
import type { OperationContext, Schema } from '../operation.ts';

/** Names that are tried beside the source. */
const MAX_NAMES = 1_000;

/** Throws if the file exists or can't be written. Called early, so that a command fails before it changes data. */
export async function checkRejectedFile(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined)) !== undefined) {
    throw new Error(`${file} exists already. Name another file with --rejected.`);
  }
  await access(dirname(file), constants.W_OK);
}

/**
 * Writes the rejected rows beside the source, or to the given file. Returns the file's name; undefined if it could not be
 * written. Never replaces a file.
 */
export async function writeRejected(
  source: string,
  { id, format, dry_run }: Schema<'Import'>,
  given: string | undefined,
  context: OperationContext,
): Promise<string | undefined> {
  // A dry run changes nothing, unless it is asked to.
  if (dry_run && given === undefined) return undefined;
  const type = format === 'ndjson' ? 'application/x-ndjson' : 'text/csv';
  for (const file of given === undefined ? namesBeside(source, type) : [given]) {
    try {
      await write(file, id, type, context);
      return file;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && given === undefined) continue;
      process.stderr.write(
        `The rejected rows can't be written to ${file}: ${message}. GET /imports/${id}/rejected-rows has them.\n`,
      );
      return undefined;
    }
  }
  return undefined;
}

/** `leads.rejected.csv`, `leads.rejected-2.csv`, and so on. */
function* namesBeside(source: string, type: keyof typeof rowFormats): Generator<string> {
  const { dir, name } = parse(source);
  const extension = type === 'text/csv' ? 'csv' : 'ndjson';
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    yield join(dir, `${name}.rejected${number === 1 ? '' : `-${number}`}.${extension}`);
  }
}

async function write(
  file: string,
  id: string,
  type: keyof typeof rowFormats,
  context: OperationContext,
): Promise<void> {
  const { body, columns = [] } = await exportRejectedRows({ path: { id } }, context);
  const rules = { columns, check: () => undefined };
  const stopping = new AbortController();
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(toText(body(stopping.signal), rowFormats[type], rules), out);
  } catch (error) {
    stopping.abort();
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(file, { force: true });
    throw error;
  }
}
