import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { exportContacts } from '../contacts/export-contacts.ts';
import { createSnapshots } from '../http/limits/snapshots.ts';
import { rowFormats, toText } from '../http/rows/formats.ts';
import { createFaultTranslator, type ValidationFault } from '../http/validation/fault-translator.ts';
import { exportLeads } from '../leads/export-leads.ts';
import { exportOperations } from './filters.ts';
import type { Report } from './report.ts';

const handlers = { leads: exportLeads, contacts: exportContacts };
const formats = { csv: rowFormats['text/csv'], ndjson: rowFormats['application/x-ndjson'] };

interface ExportOptions {
  databaseUrl: string;
  query: Record<string, string>;
  format: keyof typeof formats;
  output: string;
}

/** Writes the same file as a request would get. It appears under its name once it is complete. */
export async function exportFile(
  kind: keyof typeof handlers,
  { databaseUrl, query, format, output }: ExportOptions,
): Promise<Report> {
  // Other commands don't need them, and would start half as fast.
  const { createContract } = await import('../http/validation/contract.ts');
  const { readDocument } = await import('../process/service.ts');
  const document = await readDocument();
  const contract = await createContract(document);
  const operation = exportOperations[kind];
  let rows = 0;
  try {
    const input = { query: contract.checkQuery(operation, query) as never };
    const { status, body } = await handlers[kind](input, { readSnapshot: createSnapshots(databaseUrl) });
    const { fields, check } = contract.rowsOf(operation, status);
    const count = (row: unknown) => {
      check(row);
      rows += 1;
    };
    await write(output, (signal) => toText(body(signal), formats[format], { fields, check: count }));
  } catch (error) {
    const { errors } = error as { errors?: ValidationFault[] };
    throw errors === undefined ? error : createFaultTranslator(document)(errors);
  }
  return { title: `Exported ${kind}:`, data: { file: output, [kind]: rows } };
}

async function write(file: string, chunks: (signal: AbortSignal) => AsyncIterable<string>): Promise<void> {
  const partial = `${file}.part`;
  const stopping = new AbortController();
  try {
    await pipeline(chunks(stopping.signal), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    stopping.abort();
  }
}
