import { Sheet } from '../sheet/sheet.ts';
import type { Table } from '../table.ts';
import type { Piece } from '../text/decode-file.ts';
import { dialectOf } from './dialect.ts';
import { CsvRecords, MAX_RECORD } from './records.ts';

/** Characters by which the delimiter is found: more than the longest header. */
const START = 2 * MAX_RECORD;

interface CsvFile {
  delimiter: string;
  /** The first row with bytes that are not of the file's encoding. */
  foreignRow: number | undefined;
}

/** Reads the rows of a CSV file into the table. */
export async function readCsv(pieces: AsyncIterable<Piece>, table: Table): Promise<CsvFile> {
  const sheet = new Sheet(table);
  let records: CsvRecords | undefined;
  let foreignRow: number | undefined;
  let delimiter = ',';
  let start: Piece[] = [];
  let length = 0;

  async function take({ text, hasForeign }: Piece, isLast: boolean): Promise<void> {
    if (records === undefined) return;
    if (hasForeign) {
      for (const row of records.readPutOff()) await sheet.add(row);
      foreignRow = records.row + 1;
    }
    for (const row of records.read(text, isLast)) await sheet.add(row);
  }

  async function begin(isWhole: boolean): Promise<void> {
    const dialect = dialectOf(start.map(({ text }) => text).join(''), isWhole);
    delimiter = dialect.delimiter;
    records = new CsvRecords(dialect);
    let skipped = dialect.length;
    for (const { text, hasForeign } of start) {
      await take({ text: text.slice(skipped), hasForeign }, false);
      skipped = Math.max(0, skipped - text.length);
    }
    start = [];
  }

  for await (const piece of pieces) {
    if (records !== undefined) {
      await take(piece, false);
      continue;
    }
    start.push(piece);
    length += piece.text.length;
    if (length >= START) await begin(false);
  }
  if (records === undefined) await begin(true);
  await take({ text: '', hasForeign: false }, true);
  await sheet.end();
  return { delimiter, foreignRow };
}
