import type { SheetRow } from '../sheet/sheet-row.ts';

/** Maximum size of a row, as of a single request's body. Characters. */
export const MAX_RECORD = 262_144;

const UNCLOSED = 'has a quote that is never closed';
const TOO_LONG = 'is longer than 256 KiB';
const HAS_NUL = 'contains a NUL character; the file must be plain text';

/** Text of a row that is too long. Characters. */
const MAX_SHOWN = 2_000;

export interface CsvDialect {
  delimiter: string;
  /** Old files of a Mac have carriage returns only. */
  lineEnd: '\n' | '\r';
  /** The usual number of cells. It decides how to read cells with stray quotes. */
  width?: number;
}

/**
 * Cuts text into the rows of a CSV file as it arrives (RFC 4180). Real files break the rules: a quote inside a cell is kept.
 * A quote that is never closed costs only its own line. The next line is read as if it weren't there, so that the people in
 * the following lines aren't swallowed.
 */
export class CsvRecords {
  readonly #dialect: CsvDialect;
  #text = '';
  #at = 0;
  #row = 0;
  /** Positions of the next line end and the next quote, or Infinity. They are valid while they are not before `#at`. */
  #line = -1;
  #quote = -1;
  #isLast = false;
  #hasNul = false;
  /** Characters that must be there before the row at `#at`, which was incomplete, is worth another look. */
  #patience = 0;
  /** The rest of a line that is too long. */
  #isSkipping = false;

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
  }

  /** The number of the last row, as a spreadsheet counts: line breaks in a cell don't start a row. */
  get row(): number {
    return this.#row;
  }

  /** Yields the rows that are complete with this text, some of them only later. A blank line is a row with an empty cell. */
  *read(text: string, isLast: boolean): Generator<SheetRow> {
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = 0;
    this.#isLast = isLast;
    if (this.#text.length >= this.#patience || isLast) yield* this.readPutOff();
  }

  /** Yields the complete rows that `read` has put off. */
  *readPutOff(): Generator<SheetRow> {
    this.#patience = 0;
    this.#line = -1;
    this.#quote = -1;
    this.#hasNul = this.#text.includes('\0');
    for (let row = this.#next(); row !== undefined; row = this.#next()) yield row;
  }

  #next(): SheetRow | undefined {
    const start = this.#at;
    if (start >= this.#text.length) return undefined;
    const end = this.#lineEnd(start);
    if (this.#isSkipping) {
      this.#isSkipping = end === Number.POSITIVE_INFINITY;
      this.#at = end + 1;
      return this.#next();
    }
    if (end - start > MAX_RECORD && this.#text.length - start > MAX_RECORD) {
      this.#isSkipping = end === Number.POSITIVE_INFINITY;
      return this.#fault(start, end, TOO_LONG);
    }
    if (end === Number.POSITIVE_INFINITY && this.#waits(start)) return undefined;
    if (this.#nextQuote(start) < end) return this.#quoted(start, end);
    this.#at = end + 1;
    return this.#taken(
      this.#text.slice(start, Math.max(start, this.#contentEnd(end))).split(this.#dialect.delimiter),
    );
  }

  /** Reads a row with quotes. */
  #quoted(start: number, firstEnd: number): SheetRow | undefined {
    const { delimiter, width } = this.#dialect;
    const text = this.#text;
    const cells: string[] = [];
    let end = firstEnd;
    let hasStray = false;
    for (let at = start; ; at += delimiter.length) {
      const opening = this.#skipBlanks(at);
      if (text[opening] === '"') {
        const closing = this.#closingQuote(opening);
        const after = closing === undefined ? text.length : this.#skipBlanks(closing + 1);
        const isCut = closing === undefined || after === text.length;
        if (isCut && this.#waits(start)) return undefined;
        const isWhole = closing !== undefined && closing - start <= MAX_RECORD && this.#endsCell(after);
        if (closing === undefined || (!isWhole && closing > end))
          return this.#fault(start, firstEnd, UNCLOSED);
        if (closing > end) end = this.#lineEnd(after);
        if (end === Number.POSITIVE_INFINITY && this.#waits(start)) return undefined;
        at = isWhole ? after : this.#endOfCell(closing, end);
        hasStray ||= !isWhole;
        cells.push(isWhole ? undouble(text.slice(opening + 1, closing)) : unwrap(text.slice(opening, at)));
      } else {
        const from = at;
        at = this.#endOfCell(at, end);
        cells.push(text.slice(from, at));
      }
      if (!text.startsWith(delimiter, at)) break;
    }
    if (end - start > MAX_RECORD) return this.#fault(start, firstEnd, TOO_LONG);
    this.#at = end + 1;
    if (!hasStray || end !== firstEnd || cells.length === width) return this.#taken(cells);
    const lazy = splitLazily(text.slice(start, this.#contentEnd(end)), delimiter);
    return this.#taken(lazy.length === width ? lazy : cells);
  }

  #taken(cells: string[]): SheetRow {
    this.#row += 1;
    const isFaulty = this.#hasNul && cells.some((cell) => cell.includes('\0'));
    if (!isFaulty) return { row: this.#row, cells };
    return { row: this.#row, cells: cells.map((cell) => cell.replaceAll('\0', '')), fault: HAS_NUL };
  }

  /** Reports a fault for this row and resumes on the next line. */
  #fault(start: number, firstEnd: number, fault: string): SheetRow {
    this.#row += 1;
    this.#at = Math.min(firstEnd + 1, this.#text.length);
    this.#line = -1;
    // So that a person can correct the row, its cells are as they would be without the quote.
    const size = fault === UNCLOSED ? MAX_RECORD : MAX_SHOWN;
    const shown = this.#text.slice(start, Math.min(this.#contentEnd(firstEnd), start + size));
    return { row: this.#row, cells: shown.replaceAll('\0', '').split(this.#dialect.delimiter), fault };
  }

  /** Whether more text may complete the row. Looking at it again only when it has doubled takes linear time. */
  #waits(start: number): boolean {
    const length = this.#text.length - start;
    if (this.#isLast || length > MAX_RECORD) return false;
    this.#patience = Math.min(2 * length, MAX_RECORD + 1);
    return true;
  }

  /** The position of the next line end. At the end of the file, the text ends the line. Otherwise Infinity. */
  #lineEnd(at: number): number {
    if (this.#line < at) {
      const found = this.#text.indexOf(this.#dialect.lineEnd, at);
      const none = this.#isLast ? this.#text.length : Number.POSITIVE_INFINITY;
      this.#line = found === -1 ? none : found;
    }
    return this.#line;
  }

  /** Without the carriage return of Windows, or the two that a second conversion leaves. */
  #contentEnd(lineEnd: number): number {
    const end = Math.min(lineEnd, this.#text.length);
    if (this.#text[end - 1] !== '\r') return end;
    return this.#text[end - 2] === '\r' ? end - 2 : end - 1;
  }

  #nextQuote(at: number): number {
    if (this.#quote < at) {
      const found = this.#text.indexOf('"', at);
      this.#quote = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#quote;
  }

  #closingQuote(opening: number): number | undefined {
    for (let at = this.#text.indexOf('"', opening + 1); at !== -1; at = this.#text.indexOf('"', at + 2)) {
      if (this.#text[at + 1] !== '"') return at;
    }
    return undefined;
  }

  #endOfCell(at: number, lineEnd: number): number {
    const end = this.#contentEnd(lineEnd);
    const length = this.#text.slice(at, end).indexOf(this.#dialect.delimiter);
    return length === -1 ? end : at + length;
  }

  #skipBlanks(from: number): number {
    let at = from;
    while (isSpace(this.#text[at]) && this.#text[at] !== this.#dialect.delimiter) at += 1;
    return at;
  }

  #endsCell(at: number): boolean {
    const { delimiter, lineEnd } = this.#dialect;
    if (this.#text.startsWith(delimiter, at) || at === this.#text.length) return true;
    return this.#text.startsWith(lineEnd, at) || /^\r{1,2}(\n|$)/.test(this.#text.slice(at, at + 3));
  }
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\u00a0';
}

function undouble(text: string): string {
  return text.includes('""') ? text.replaceAll('""', '"') : text;
}

/** A cell such as "Robert "Bob" Smith", whose inner quotes should have been doubled. Some systems write \\" instead. */
function unwrap(cell: string): string {
  const text = cell.trimEnd();
  if (text.length < 2 || !text.endsWith('"')) return text;
  return undouble(text.slice(1, -1)).replaceAll('\\"', '"');
}

/** Splits a line where a quote ends a cell only before a delimiter: "5" Pipes, Ltd" is one cell. */
function splitLazily(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const isQuoted = line[at] === '"';
    const found = line.indexOf(isQuoted ? `"${delimiter}` : delimiter, isQuoted ? at + 1 : at);
    const end = found === -1 ? line.length : found + (isQuoted ? 1 : 0);
    const cell = line.slice(at, end);
    cells.push(isQuoted ? unwrap(cell) : cell);
    at = end + delimiter.length;
  }
  return cells;
}
