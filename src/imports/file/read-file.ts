import { createHash } from 'node:crypto';
import { type Bytes, withStart } from './bytes/start.ts';
import { gunzip, isGzip } from './bytes/unpack.ts';
import { readCsv } from './csv/read-csv.ts';
import { invalidFile, invalidRows, type Remark, type RowFault } from './fault.ts';
import { type FileKind, kindOf } from './format.ts';
import { readJson } from './json/read-json.ts';
import { readNdjson } from './json/read-ndjson.ts';
import { Table } from './table.ts';
import { type Decoding, decodeFile, detectEncoding, encodingNamed, type Piece } from './text/decode-file.ts';
import { readVcard } from './vcard/read-vcard.ts';
import { readXlsx } from './xlsx/read-xlsx.ts';

/** Bytes that are parsed at a time, so that other requests go on. */
const PIECE = 16 * 1024;
/** Bytes by which the format and the encoding are recognized. */
const START = 4 * 1024;
/** Faults that a file has in its answer if no row can be read. */
const MAX_TOLD = 20;

interface FileOptions {
  /** The media type, for files whose first bytes don't tell their format. */
  mediaType?: string | undefined;
  charset?: string | undefined;
  /** The name or the number of a workbook's sheet. */
  sheet?: string | undefined;
}

/** A file's properties other than its rows. */
export interface FileSummary {
  /** Each name is unique and not empty. */
  columns: string[];
  /** Rows that were stored. Rows that can't be read are not among them: see `faults`. */
  rows: number;
  sha256: string;
  format: 'csv' | 'ndjson' | 'xlsx' | 'vcard';
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
  /** Rows that can't be read, in the order of the file: at most 1,000. All of them are stored. */
  faults: readonly RowFault[];
  /** Includes those that were not kept. */
  faultsTotal: number;
}

/** Reads a file of any size and stores its rows in chunks. Throws 422 if no row can be read. */
export async function readFile(
  bytes: AsyncIterable<Buffer>,
  options: FileOptions,
  store: (number: number, rows: string) => Promise<void>,
): Promise<FileSummary> {
  const charset = options.charset === undefined ? undefined : encodingNamed(options.charset);
  const digest = createHash('sha256');
  const table = new Table(store);
  const file = await unpacked(digested(bytes, digest));
  const encoding = detectEncoding(file.start, charset);
  const kind = kindOf(file.start, startOfText(file.start, encoding), options.mediaType);
  const source = { file: file.all, table, encoding, sheet: options.sheet };
  const read = await readers[kind](source);
  await table.flush();
  if (table.rows === 0) throw unreadable(table);
  const { columns, rows, hasHeader, sample, remarks, faults, faultsTotal } = table;
  const format = kind === 'json' ? 'ndjson' : kind;
  const sha256 = digest.digest('hex');
  return { columns, rows, sha256, format, ...read, hasHeader, sample, remarks, faults, faultsTotal };
}

interface Source {
  file: AsyncIterable<Buffer>;
  table: Table;
  encoding: string | undefined;
  sheet: string | undefined;
}

type ReadAs = Pick<FileSummary, 'charset' | 'delimiter' | 'sheet'>;

const readers: Record<FileKind, (source: Source) => Promise<ReadAs>> = {
  csv: (source) => readText(source, readCsv),
  ndjson: (source) => readText(source, readNdjson),
  json: (source) => readText(source, readJson),
  vcard: (source) => readText(source, readVcard),
  xlsx: async ({ file, table, sheet }) => ({
    charset: null,
    delimiter: null,
    ...(await readXlsx(file, table, sheet)),
  }),
};

/** What a reader of text says about the file. */
interface TextFile {
  delimiter?: string;
  /** The first row with bytes that are not of the file's encoding. */
  foreignRow: number | undefined;
}

async function readText(
  { file, table, encoding }: Source,
  read: (pieces: AsyncIterable<Piece>, table: Table) => Promise<TextFile>,
): Promise<ReadAs> {
  const decoding: Decoding = { charset: 'utf-8', isBroken: false };
  const { delimiter = null, foreignRow } = await read(decodeFile(file, encoding, decoding), table);
  if (foreignRow !== undefined) table.addRemark(encodingRemark(decoding, foreignRow));
  return { charset: decoding.charset, delimiter, sheet: null };
}

function encodingRemark({ charset, isBroken }: Decoding, row: number): Remark {
  const wrong = 'If letters are wrong, send the file again and name its encoding as `charset`.';
  const message =
    charset === 'windows-1252'
      ? `The file is not in UTF-8, as row ${row} shows. It was read as windows-1252. ${wrong}`
      : charset === 'utf-8'
        ? `Row ${row} has bytes that are not UTF-8. They were read as windows-1252. ${wrong}`
        : `The file has bytes that mean nothing in ${charset}. They were replaced by �. ${wrong}`;
  return { code: 'encoding', column: null, row: charset === 'utf-8' || !isBroken ? row : null, message };
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
  const inner = await withStart(pieces(gunzip(file.all)), START);
  if (isGzip(inner.start)) throw invalidFile('is compressed twice; send it as .gz or unpacked');
  return inner;
}

function startOfText(start: Buffer, encoding: string | undefined): string {
  return new TextDecoder(encoding ?? 'utf-8').decode(start, { stream: true });
}

async function* digested(
  bytes: AsyncIterable<Buffer>,
  digest: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    digest.update(chunk);
    yield* pieces([chunk]);
  }
}

async function* pieces(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
  }
}
