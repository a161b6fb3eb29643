import { createHash } from 'node:crypto';
import { Expansion } from './bytes/expansion.ts';
import { type Bytes, withStart } from './bytes/start.ts';
import { gunzip, isGzip } from './bytes/unpack.ts';
import { invalidFile, invalidRows, type Remark, type RowFault } from './fault.ts';
import { type FileOptions, type ReadAs, readAs, START } from './read-as.ts';
import { type Footer, Table } from './table.ts';

/** Faults that a file has in its answer if no row can be read. */
const MAX_TOLD = 20;

/** Stores a chunk of rows, as JSON. Resolves when there is room for the next one. */
export type Store = (number: number, rows: string) => Promise<void>;

/** A file's properties other than its rows. */
export interface FileSummary {
  /** Each name is unique and not empty. */
  columns: string[];
  /** Rows that were stored. Rows that can't be read are not among them: see `faults`. */
  rows: number;
  sha256: string;
  format: ReadAs['format'];
  /** Null for a workbook. */
  charset: string | null;
  delimiter: string | null;
  /** The name of a workbook's sheet. */
  sheet: string | null;
  /** Whether the column names are those of the file. Otherwise they are Column 1, Column 2, and so on. */
  hasHeader: boolean;
  /** The cells of the first 1,000 rows, by column, limited in bytes. The last cells may be missing. */
  sample: readonly (readonly unknown[])[];
  remarks: readonly Remark[];
  /** What looks like a footer below the table. */
  footer: Footer | undefined;
  /** Rows that can't be read, in the order of the file: at most 1,000. All of them are stored. */
  faults: readonly RowFault[];
  /** Includes those that were not kept. */
  faultsTotal: number;
}

/**
 * Reads a file of any size and stores its rows in chunks. `progress` is called for each row. Throws 422 if no row can be read.
 */
export async function readHere(
  bytes: AsyncIterable<Buffer>,
  options: FileOptions,
  store: Store,
  progress?: () => void,
): Promise<FileSummary> {
  const digest = createHash('sha256');
  const expansion = new Expansion();
  const table = new Table(store, expansion, { leavesFooter: options.leavesFooter, progress });
  const file = await unpacked(received(bytes, digest, expansion));
  const read = await readAs(file, table, { ...options, expansion });
  await table.flush();
  if (table.rows === 0) throw unreadable(table);
  const { columns, rows, hasHeader, sample, remarks, footer, faults, faultsTotal } = table;
  const sha256 = digest.digest('hex');
  return { columns, rows, sha256, ...read, hasHeader, sample, remarks, footer, faults, faultsTotal };
}

/** A file that can't be used at all: the answer names its first rows and what is wrong with them. */
function unreadable({ faults }: Table): Error {
  const [first] = faults;
  if (first === undefined) return invalidFile('has no rows');
  return invalidRows(faults.slice(0, MAX_TOLD));
}

async function unpacked(bytes: AsyncIterable<Buffer>): Promise<Bytes> {
  const file = await withStart(bytes, START);
  if (!isGzip(file.start)) return file;
  const inner = await withStart(gunzip(file.all), START);
  if (isGzip(inner.start)) throw invalidFile('is compressed twice; send it as .gz or unpacked');
  return inner;
}

async function* received(
  bytes: AsyncIterable<Buffer>,
  digest: ReturnType<typeof createHash>,
  expansion: Expansion,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    digest.update(chunk);
    expansion.receive(chunk.length);
    yield chunk;
  }
}
