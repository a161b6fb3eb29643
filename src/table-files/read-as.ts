import { detectCharset } from '../values/charset.ts';
import type { Expansion } from './bytes/expansion.ts';
import { type Bytes, withStart } from './bytes/start.ts';
import { limitUnpacked } from './bytes/unpack.ts';
import { readCsv } from './csv/read-csv.ts';
import { invalidFile, type Remark } from './fault.ts';
import { type FileKind, kindOf } from './format.ts';
import { readJson } from './json/read-json.ts';
import { readNdjson } from './json/read-ndjson.ts';
import type { Table } from './table.ts';
import { type Decoding, decodeFile, encodingNamed, type Piece } from './text/decode-file.ts';
import { readVcard } from './vcard/read-vcard.ts';
import { onlyFile, readXlsx, receiveArchive } from './xlsx/read-xlsx.ts';

/** Bytes by which the format and the encoding are recognized. */
export const START = 4 * 1024;

export interface FileOptions {
  /** The media type, for files whose first bytes don't tell their format. */
  mediaType?: string | undefined;
  charset?: string | undefined;
  /** The name or the number of a workbook's sheet. */
  sheet?: string | undefined;
  /** Whether what looks like a footer is left out. */
  leavesFooter?: boolean | undefined;
}

interface Reading extends FileOptions {
  expansion: Expansion;
}

/** How a file was read. */
export interface ReadAs {
  format: 'csv' | 'ndjson' | 'xlsx' | 'vcard';
  /** Null for a workbook. */
  charset: string | null;
  delimiter: string | null;
  /** The name of a workbook's sheet. */
  sheet: string | null;
}

/** Recognizes the format and the encoding, and reads the file into the table. */
export async function readAs(file: Bytes, table: Table, options: Reading): Promise<ReadAs> {
  const charset = options.charset === undefined ? undefined : encodingNamed(options.charset);
  const encoding = detectCharset(file.start, charset);
  const kind = kindOf(file.start, startOfText(file.start, encoding), options.mediaType);
  if (kind === 'zip') return readZip(file, table, options);
  const decoding: Decoding = { charset: 'utf-8', isBroken: false };
  const text = decodeFile(file.all, encoding, decoding);
  const { delimiter = null, foreignRow } = await textReaders[kind](text, table);
  if (foreignRow !== undefined) table.addRemark(encodingRemark(decoding, foreignRow));
  const format = kind === 'json' ? 'ndjson' : kind;
  return { format, charset: decoding.charset, delimiter, sheet: null };
}

/** Reads a workbook, or the only file of a ZIP file: a text or a workbook. */
async function readZip({ all }: Bytes, table: Table, options: Reading, isInner = false): Promise<ReadAs> {
  const archive = await receiveArchive(all);
  const name = onlyFile(archive);
  if (name !== undefined) {
    if (isInner) throw invalidFile('is a ZIP file within a ZIP file');
    const content = limitUnpacked((await archive.read(name)) ?? []);
    const inner = await withStart(content, START);
    const isZip = kindOf(inner.start, '', undefined) === 'zip';
    return isZip ? readZip(inner, table, options, true) : readAs(inner, table, options);
  }
  const read = await readXlsx(archive, table, options);
  return { format: 'xlsx', charset: null, delimiter: null, ...read };
}

/** What a reader of text says about the file. */
interface TextFile {
  delimiter?: string;
  /** The first row with bytes that are not of the file's encoding. */
  foreignRow: number | undefined;
}

type TextReader = (pieces: AsyncIterable<Piece>, table: Table) => Promise<TextFile>;

const textReaders: Record<Exclude<FileKind, 'zip'>, TextReader> = {
  csv: readCsv,
  ndjson: readNdjson,
  json: readJson,
  vcard: readVcard,
};

function startOfText(start: Buffer, encoding: string | undefined): string {
  return new TextDecoder(encoding ?? 'utf-8').decode(start, { stream: true });
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
