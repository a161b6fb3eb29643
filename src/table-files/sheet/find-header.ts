import { filledCells, filledWidth, type SheetRow } from './sheet-row.ts';

/** Rows that may stand above the column names. */
const MAX_ABOVE = 30;

interface Header {
  /** The index of the row with the column names. Undefined if no row has any. */
  header: number | undefined;
  /** The index of the first row of data. */
  start: number;
}

/**
 * Finds the column names among the first rows, which have no blank ones. Exports put titles and explanations above them: the
 * header is the first row with usual names, else the first that fills at least half of the usual width. A row with an email
 * address or a phone number is data.
 */
export function findHeader(rows: readonly SheetRow[]): Header {
  const looked = rows.slice(0, MAX_ABOVE);
  const firstReadable = looked.findIndex(({ fault }) => fault === undefined);
  if (firstReadable === -1) return { header: undefined, start: 0 };
  const width = usualWidth(rows);
  const least = Math.max(width / 2, Math.min(width, 2));
  const data = looked.findIndex((row) => filledCount(row) >= least && hasValues(row));
  const named = looked.findIndex(hasNames);
  // Titles may have dates and links, but only people have email addresses.
  const isBelowPeople = looked.slice(0, named).some(({ cells }) => filledCells(cells).some(isEmail));
  if (named !== -1 && !isBelowPeople) return { header: named, start: named + 1 };
  const wide = looked.findIndex((row) => filledCount(row) >= least);
  if (wide === -1) return { header: firstReadable, start: firstReadable + 1 };
  if (wide !== data) return { header: wide, start: wide + 1 };
  // A header with few names may stand above rows with many cells.
  const above = rows[data - 1];
  const isHeader = above !== undefined && filledCount(above) > 1 && !hasValues(above);
  return { header: isHeader ? data - 1 : undefined, start: data };
}

function filledCount({ cells, fault }: SheetRow): number {
  return fault === undefined ? filledCells(cells).length : 0;
}

/** The most frequent width. Of several, the greatest. A list of one column has few rows that are wider. */
function usualWidth(rows: readonly SheetRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells, fault } of rows) {
    const width = fault === undefined ? filledWidth(cells) : 1;
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  const sorted = [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0]);
  const [width, count] = sorted.find(([each]) => each > 1) ?? [1, 0];
  return count * 5 >= rows.length ? width : 1;
}

const NAME = /^.{0,20}(?:e-?mail|name|phone)s?.{0,20}$/iu;

/** Whether the row has two of the column names that nearly every list of people has, and no values. */
function hasNames(row: SheetRow): boolean {
  const named = filledCells(row.cells).filter((cell) => NAME.test(cell.trim().slice(0, 100)));
  return row.fault === undefined && named.length > 1 && !hasValues(row);
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE = /^\+?[\d\s()./-]{7,25}$/;
const DATE = /^\d{4}-\d{2}-\d{2}/;
const LINK = /^https?:\/\//i;

function isEmail(cell: string): boolean {
  return cell.length < 300 && EMAIL.test(cell.trim());
}

function hasValues(row: SheetRow | undefined): boolean {
  return filledCells(row?.cells ?? []).some((cell) => {
    const text = cell.trim().slice(0, 300);
    return isEmail(text) || (PHONE.test(text) && /\d{3}/.test(text)) || DATE.test(text) || LINK.test(text);
  });
}
