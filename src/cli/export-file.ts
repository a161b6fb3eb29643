import { createWriteStream, rmSync } from 'node:fs';
import { realpath, rename, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { exportContacts } from '../contacts/export-contacts.ts';
import { createSnapshots } from '../http/limits/snapshots.ts';
import { rowFormats, toText } from '../http/rows/formats.ts';
import { exportLeads } from '../leads/export-leads.ts';
import { compileContract } from './contract.ts';
import { exportOperations, type Query } from './filters.ts';
import type { Report } from './report.ts';

const handlers = { leads: exportLeads, contacts: exportContacts };
const formats = { csv: rowFormats['text/csv'], ndjson: rowFormats['application/x-ndjson'] };

/** As the name of a file: standard output. */
export const STDOUT = '-';

interface ExportOptions {
  databaseUrl: string;
  query: Query;
  format: keyof typeof formats;
  output: string;
}

/** Writes the same file as a request would get. It appears under its name once it is complete. */
export async function exportFile(
  kind: keyof typeof handlers,
  { databaseUrl, query, format, output }: ExportOptions,
): Promise<Report> {
  const { contract, checkQuery } = await compileContract();
  const operation = exportOperations[kind];
  const input = { query: checkQuery(operation, query) as never };
  const { status, body } = await handlers[kind](input, {
    readSnapshot: createSnapshots()({ url: databaseUrl }),
  });
  const { fields, check } = contract.rowsOf(operation, status);
  let rows = 0;
  const count = (row: unknown) => {
    check(row);
    rows += 1;
  };
  await writeFile(output, (signal) => toText(body(signal), formats[format], { fields, check: count }));
  return { title: `Exported ${kind}:`, data: { file: output, [kind]: rows }, hasOutput: output === STDOUT };
}

/** Writes the text to the file, which appears under its name once it is complete. */
export async function writeFile(
  file: string,
  chunks: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<void> {
  const found = file === STDOUT ? undefined : await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new Error(`${file} is a folder. Name a file.`);
  const stopping = new AbortController();
  try {
    const text = chunks(stopping.signal);
    if (file === STDOUT) await pipeline(text, process.stdout, { end: false });
    else if (found === undefined || found.isFile()) await replace(file, text);
    // A device or a named pipe, which a rename would replace by a file.
    else await pipeline(text, createWriteStream(file));
  } finally {
    stopping.abort();
  }
}

async function replace(file: string, text: AsyncIterable<string>): Promise<void> {
  // Not the link itself, if it is one.
  const target = await realpath(file).catch(() => file);
  // Two commands may write to the same file.
  const partial = `${target}.${process.pid}.part`;
  const remove = () => rmSync(partial, { force: true });
  process.once('exit', remove);
  try {
    await pipeline(text, createWriteStream(partial));
    await rename(partial, target);
  } finally {
    remove();
    process.off('exit', remove);
  }
}
