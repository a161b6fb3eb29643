import { FileFault, invalidFile } from './fault.ts';
import { lastLineFeed, MAX_ROW, readLines, tooLong } from './lines.ts';
import type { Table } from './table.ts';

/** Maximum nesting of a row, including the row itself, as of a request's body. */
const MAX_DEPTH = 10;

/** Reads the rows of an NDJSON file into the table. The columns are the keys of all rows. */
export async function readNdjson(file: AsyncIterable<Buffer>, table: Table): Promise<void> {
  let row = 0;
  try {
    for await (const lines of readLines(file, lastLineFeed)) {
      const texts = lines.toString().split('\n');
      // After the last line feed.
      if (texts.at(-1) === '') texts.pop();
      for (const text of texts) {
        row += 1;
        table.limitRow(row);
        if (text.length > MAX_ROW) throw invalidFile(row, tooLong);
        if (text.trim() === '') continue;
        const fields = Object.entries(parse(text, row));
        const cells: unknown[] = [];
        for (const [name, value] of fields) cells[table.columnIndex(name, row)] = value;
        await table.add({ row, cells: Array.from(cells, (cell) => cell ?? null) });
      }
    }
  } catch (error) {
    throw error instanceof FileFault ? invalidFile(row + 1, error.message) : error;
  }
}

function parse(text: string, row: number): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidFile(row, 'is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidFile(row, 'must be a JSON object');
  }
  if (isDeeper(value, MAX_DEPTH)) throw invalidFile(row, `is nested deeper than ${MAX_DEPTH} levels`);
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
