import { createHash } from 'node:crypto';
import { invalidFile, type Remark, type RowFault } from './fault.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import { Table } from './table.ts';

/**
 * Bytes that are parsed at a time. With 64 KiB, a piece has up to 30,000 rows, which outlive V8's young generation: the
 * process then grew to 404 MiB during an import of a million short rows, instead of 207.
 */
const PIECE = 4 * 1024;

const readers = { csv: readCsv, ndjson: readNdjson };

type FileFormat = keyof typeof readers;

/** A file's properties other than its rows. */
interface FileSummary {
  /** Each name is unique and not empty. */
  columns: string[];
  /** Rows that were stored. Rows that can't be read are not among them: see `faults`. */
  rows: number;
  sha256: string;
  format: FileFormat;
  /** Null for a format that has none of its own, such as XLSX. */
  charset: string | null;
  delimiter: string | null;
  /** Whether the column names are those of the file. Otherwise they are Column 1, Column 2, and so on. */
  hasHeader: boolean;
  /** The cells of the first 1,000 rows, by column, limited in bytes. The last cells may be missing. */
  sample: readonly (readonly unknown[])[];
  remarks: readonly Remark[];
  /** Rows that can't be read, in the order of the file: at most 100,000. */
  faults: readonly RowFault[];
  /** Includes those that were not kept. */
  faultsTotal: number;
}

/** Reads a file of any size and stores its rows in chunks. Throws 422 if it can't be read or has no rows. */
export async function readFile(
  bytes: AsyncIterable<Buffer>,
  format: FileFormat,
  store: (number: number, rows: string) => Promise<void>,
): Promise<FileSummary> {
  const digest = createHash('sha256');
  const table = new Table(store);
  await readers[format](digested(bytes, digest), table);
  await table.flush();
  if (table.rows === 0) throw invalidFile(undefined, 'has no rows');
  const { columns, rows, sample, remarks, faults, faultsTotal } = table;
  return {
    columns,
    rows,
    sha256: digest.digest('hex'),
    format,
    charset: 'utf-8',
    delimiter: null,
    hasHeader: true,
    sample,
    remarks,
    faults,
    faultsTotal,
  };
}

async function* digested(
  bytes: AsyncIterable<Buffer>,
  digest: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    digest.update(chunk);
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
  }
}
