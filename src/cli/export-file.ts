import { snapshotReader } from '../db/list/snapshot-reader.ts';
import { rowFormats, toText } from '../http/rows/formats.ts';
import type { Input } from '../operation.ts';
import { handlers as operations } from '../operations.ts';
import { compileContract } from './contract.ts';
import type { CommandTarget } from './database.ts';
import { exportOperations, type ListQuery } from './filters.ts';
import { STDOUT, writeFile } from './output.ts';
import type { Report } from './report.ts';

const handlers = { leads: operations.exportLeads, contacts: operations.exportContacts };
const formats = { csv: rowFormats['text/csv'], ndjson: rowFormats['application/x-ndjson'] };

type ExportQuery = Input<'exportLeads'>['query'] & Input<'exportContacts'>['query'];

interface ExportOptions extends Pick<CommandTarget, 'db' | 'databaseUrl'> {
  query: ListQuery;
  format: keyof typeof formats;
  output: string;
}

/** Writes the file that a request would get. It gets its name when it is complete. */
export async function exportFile(
  kind: keyof typeof handlers,
  { db, databaseUrl, query, format, output }: ExportOptions,
): Promise<Report> {
  const contract = await compileContract();
  const operation = exportOperations[kind];
  const checked = contract.checkQuery(operation, query) as ExportQuery;
  const { status, body } = await handlers[kind](
    { query: checked },
    { db, readSnapshot: snapshotReader({ url: databaseUrl }) },
  );
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
