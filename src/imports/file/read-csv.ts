import { type CsvError, type Info, type InfoCallback, parse } from 'csv-parse';
import { FileFault, invalidFile } from './fault.ts';
import { lastLineEnd, MAX_ROW, readLines, tooLong } from './lines.ts';
import type { FileRow } from './stored-row.ts';
import type { Table } from './table.ts';

const DELIMITERS = [',', ';', '\t'];

/** Reads the rows of a CSV file (RFC 4180) into the table. */
export async function readCsv(file: AsyncIterable<Buffer>, table: Table): Promise<void> {
  let parser: ReturnType<typeof startParser> | undefined;
  let row = 0;
  let width: number | undefined;

  async function take(records: readonly Parsed[]): Promise<void> {
    for (const { record, info } of records) {
      row = rowOf(info);
      if (width === undefined) {
        width = record.length;
        table.setColumns(record, row);
        continue;
      }
      // Many spreadsheets end their exports with empty rows.
      if (record.every((cell) => cell.trim() === '')) continue;
      if (record.length !== width) {
        throw invalidFile(row, `has ${record.length} cells, but the file has ${width} columns`);
      }
      await table.add({ row, cells: record } satisfies FileRow);
    }
  }

  try {
    for await (const lines of readLines(file, lastLineEnd)) {
      parser ??= startParser(delimiterOf(lines));
      for await (const records of parser.write(lines)) await take(records);
      table.limitRow(parser.row());
    }
    if (parser !== undefined) await take(await parser.end());
  } catch (error) {
    if (!(error instanceof FileFault)) throw describeCsvError(error);
    // The parser holds the last row back until it sees the next line.
    if (parser !== undefined) await parser.end().then(take, () => undefined);
    throw invalidFile(parser === undefined ? undefined : row + 1, error.message);
  }
}

interface Parsed {
  record: string[];
  info: InfoCallback;
}

/** The number of the last row read, as a spreadsheet counts. */
function rowOf({ records, empty_lines }: Info): number {
  return records + empty_lines;
}

function startParser(delimiter: string) {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
  });
  parser.on('error', () => undefined);
  /** Reads all that the parser has: until then, it accepts no more. */
  const drain = (): Parsed[] => {
    const records: Parsed[] = [];
    for (let next = parser.read(); next !== null; next = parser.read()) records.push(next);
    return records;
  };
  const done = (start: (callback: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
  return {
    row: () => rowOf(parser.info),
    /** Before it throws, yields the rows up to the wrong one: an earlier row may be wrong for another reason. */
    async *write(lines: Buffer): AsyncGenerator<Parsed[]> {
      const written = done((callback) => parser.write(lines, callback));
      written.catch(() => undefined);
      yield drain();
      await written;
      yield drain();
    },
    async end(): Promise<Parsed[]> {
      const records: Parsed[] = [];
      parser.on('data', (parsed: Parsed) => records.push(parsed));
      await new Promise<void>((resolve, reject) => parser.once('error', reject).once('end', resolve).end());
      return records;
    },
  };
}

/** The most frequent delimiter in the first line. */
function delimiterOf(lines: Buffer): string {
  const [first = ''] = lines.toString().split(/[\r\n]/, 1);
  const bare = first.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

const faults: Partial<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: tooLong,
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'has a quote inside a quoted cell; write two quotes for one',
  INVALID_OPENING_QUOTE: 'has a quote inside a cell; put the cell in quotes, and write two quotes for one',
};

function describeCsvError(error: unknown): unknown {
  const {
    code = '',
    records = 0,
    empty_lines = 0,
  } = error as CsvError & { records?: number; empty_lines?: number };
  const message = faults[code];
  return message === undefined ? error : invalidFile(records + empty_lines + 1, message);
}
