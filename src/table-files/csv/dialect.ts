import { filledCells, filledWidth, type SheetRow } from '../sheet/sheet-row.ts';
import { type CsvDialect, CsvRecords } from './records.ts';

/** The most likely ones first. */
const DELIMITERS = [',', ';', '\t', '|'];
/** Characters of the first line of an export. */
const MAX_HEADER = 2_000;
/** Rows that are looked at. */
const LOOKED_AT = 100;

/** `sep=;` in the first line, which Excel reads but doesn't show. */
const SEPARATOR_LINE = /^"?sep=(.)"?[ ,;\t]*(?:\r\n|\r|\n|$)/i;

/** A first line of names as this service's exports have them, also as a spreadsheet saves them again. */
const OWN_HEADER = /^[a-z_.]+([,;\t|])[a-z_.]+(?:\1[a-z_.]+)*\r?\n/;

/**
 * How the file is written, as its beginning shows. The header alone may mislead: "Name, Vorname;E-Mail" has a comma, too. The
 * delimiter is the one with which most rows have the same width.
 */
export function dialectOf(start: string, isWhole: boolean): CsvDialect & { length: number } {
  const [separatorLine = '', separator] = SEPARATOR_LINE.exec(start) ?? [];
  const text = start.slice(separatorLine.length);
  const lineEnd = lineEndOf(text);
  const own = ownDelimiter(text);
  if (own !== undefined) return { ...own, lineEnd: '\n', length: separatorLine.length };
  const judged = (delimiter: string) => judge(text, isWhole, { delimiter, lineEnd });
  const [best] = DELIMITERS.map(judged).sort(
    (one, other) => other.rows - one.rows || other.quality - one.quality || other.width - one.width,
  );
  const named = separator === undefined ? undefined : judged(separator);
  const { delimiter = ',', width = 1 } = named !== undefined && named.width > 1 ? named : (best ?? {});
  return { delimiter, lineEnd, width, length: separatorLine.length };
}

/** Of an export, in which a name or a tag may be any text: with another delimiter, its rows could look regular, too. */
function ownDelimiter(text: string): { delimiter: string; width: number } | undefined {
  const [header = '', delimiter = ','] = OWN_HEADER.exec(text.slice(0, MAX_HEADER)) ?? [];
  const names = header.trimEnd().split(delimiter);
  return names.includes('id') ? { delimiter, width: names.length } : undefined;
}

/** The first line end outside of quotes. */
function lineEndOf(text: string): CsvDialect['lineEnd'] {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === '\n') return '\n';
    else if (!isQuoted && character === '\r') return /^\r+\n/.test(text.slice(at, at + 3)) ? '\n' : '\r';
  }
  return text.includes('\n') ? '\n' : '\r';
}

interface Judged {
  delimiter: string;
  /** The most frequent width above one. */
  width: number;
  /** The number of rows with this width. */
  rows: number;
  /** Share of cells that look as if they were whole. */
  quality: number;
}

function judge(text: string, isWhole: boolean, dialect: CsvDialect): Judged {
  const rows = firstRows(text, isWhole, dialect);
  const counts = new Map<number, number>();
  for (const { cells } of rows) {
    const width = cells.length;
    if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  const [[width, count] = [1, 0]] = [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0]);
  const cells = rows.flatMap((row) => filledCells(row.cells));
  const quality = cells.filter(looksWhole).length / Math.max(cells.length, 1);
  return { delimiter: dialect.delimiter, width, rows: count, quality };
}

/** The first rows that aren't blank. */
function firstRows(text: string, isWhole: boolean, dialect: CsvDialect): SheetRow[] {
  const rows: SheetRow[] = [];
  for (const row of new CsvRecords(dialect).read(text, isWhole)) {
    if (row.fault === undefined && filledWidth(row.cells) > 0) rows.push(row);
    if (rows.length >= LOOKED_AT) break;
  }
  return rows;
}

/** "Ada;ada@example.com" and " Ada" look like parts of a row that another delimiter would cut. */
function looksWhole(cell: string): boolean {
  return !/^ |[;\t|]/.test(cell) && !(cell.includes('@') && cell.includes(','));
}
