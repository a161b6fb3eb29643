import { extname } from 'node:path';
import { snapshotReader } from '../db/list/snapshot-reader.ts';
import { rowFormats, toText } from '../http/rows/formats.ts';
import type { Input } from '../operation.ts';
import { handlers as operations } from '../operations.ts';
import { compileContract } from './contract.ts';
import type { CommandTarget } from './database.ts';
import { exportOperations, type ListQuery } from './filters.ts';
import { STDOUT, writeFile } from './output.ts';
import type { Report } from './report.ts';
import { asUsage, UsageError } from './usage-error.ts';

const handlers = { leads: operations.exportLeads, contacts: operations.exportContacts };
const formats = { csv: rowFormats['text/csv'], ndjson: rowFormats['application/x-ndjson'] };

type ExportQuery = Input<'exportLeads'>['query'] & Input<'exportContacts'>['query'];

interface ExportOptions extends Pick<CommandTarget, 'db' | 'databaseUrl'> {
  query: ListQuery;
  /** Undefined: that of the file's ending. */
  format?: keyof typeof formats;
  output: string;
}

function formatOf(output: string): keyof typeof formats {
  const ending = extname(output).toLowerCase();
  if (ending === '.ndjson' || ending === '.jsonl') return 'ndjson';
  if (['.json', '.xls', '.xlsx'].includes(ending)) {
    throw new UsageError(
      `${output} can't be written: exports are CSV or NDJSON. Name the file .csv or .ndjson, or say --format.`,
    );
  }
  return 'csv';
}

/** Writes the file that a request would get. It gets its name when it is complete. */
export async function exportFile(
  kind: keyof typeof handlers,
  { db, databaseUrl, query, output, format = formatOf(output) }: ExportOptions,
): Promise<Report> {
  const contract = await compileContract();
  const operation = exportOperations[kind];
  const { checked, status, body } = await asUsage(async () => {
    const checked = contract.checkQuery(operation, query) as ExportQuery;
    const readSnapshot = snapshotReader({ url: databaseUrl });
    return { checked, ...(await handlers[kind]({ query: checked }, { db, readSnapshot })) };
  });
  const { columns, check } = contract.rowsOf(operation, status);
  let rows = 0;
  const count = (row: unknown) => {
    check(row);
    rows += 1;
  };
  await writeFile(output, (signal) =>
    toText(body(signal), formats[format], { columns, check: count, fields: checked.fields }),
  );
  return { title: `Exported ${kind}:`, data: { file: output, [kind]: rows }, hasOutput: output === STDOUT };
}
