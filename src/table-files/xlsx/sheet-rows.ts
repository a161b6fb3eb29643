import { schemas } from '../../../generated/limits.ts';
import { MAX_RECORD } from '../csv/records.ts';
import { type Cell as SheetCell, type SheetRow, textOf } from '../sheet/sheet-row.ts';
import type { NumberFormats } from './number-formats.ts';
import { unescapeText } from './texts.ts';
import type { XmlHandlers } from './xml.ts';

/** As Excel. */
const MAX_ROWS = 1_048_576;
/** Cells beyond the last column that can be used count as one, which shows that the row has too many. */
const LAST_COLUMN = schemas.ImportMapping.maxProperties;

interface Cell {
  /** Such as A1. */
  reference: string;
  type: string;
  style: number;
  /** The text of `v`. */
  value: string;
  /** The text of `is`. */
  inline: string;
  hasFormula: boolean;
}

/** What a sheet needs to know of its workbook, and what it tells about itself. */
export interface SheetContext {
  strings: readonly string[];
  formats: NumberFormats;
  /** The addresses that cells link to, by reference. */
  mailLinks: ReadonlyMap<string, string>;
  /** Whether all formulas wait for a spreadsheet to calculate them, so that a zero is no result. */
  isUncalculated: boolean;
  /** Called for a formula without a result, with the index of its column. */
  onFormula(row: number, column: number): void;
  onMerged(): void;
}

/** Collects the rows of a sheet. */
export function rowsOf(context: SheetContext, take: (row: SheetRow) => void): XmlHandlers {
  let row = 0;
  let column = -1;
  let cells: SheetCell[] = [];
  let size = 0;
  let cell = newCell({});
  let inside: 'value' | 'inline' | undefined;
  let isGuide = false;

  function begin({ r, t, s }: Readonly<Record<string, string>>): void {
    column = Math.min(columnOf(r) ?? column + 1, LAST_COLUMN);
    cell = newCell({ r, t, s });
  }

  function end(): void {
    if (size > MAX_RECORD) return;
    const content = withoutResult(cell, context) ? '' : linked(cell, context);
    if (cell.hasFormula && content === '') context.onFormula(row, column);
    if (content === '') return;
    while (cells.length < column) cells.push('');
    size += textOf(content).length;
    cells[column] = content;
  }

  return {
    open(name, attributes) {
      if (name === 'c') begin(attributes);
      else if (name === 'v') inside = 'value';
      else if (name === 'f') cell.hasFormula = true;
      else if (name === 'mergeCell') context.onMerged();
      else if (name === 't') inside = isGuide ? undefined : 'inline';
      else if (name === 'rPh') isGuide = true;
      else if (name === 'row') {
        row = rowNumber(attributes.r) ?? row + 1;
        column = -1;
        cells = [];
        size = 0;
      }
    },
    text(text) {
      if (inside !== undefined && cell[inside].length <= MAX_RECORD)
        cell[inside] += text.slice(0, MAX_RECORD + 1);
    },
    close(name) {
      if (name === 'v' || name === 't') inside = undefined;
      else if (name === 'rPh') isGuide = false;
      else if (name === 'c') end();
      else if (name === 'row') {
        const fault = size > MAX_RECORD ? 'is longer than 256 KiB' : undefined;
        take(fault === undefined ? { row, cells } : { row, cells: cells.slice(0, 1), fault });
      }
    },
  };
}

function rowNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= MAX_ROWS ? number : undefined;
}

/** The index of the column of A1, B2, and so on. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

function newCell({ r = '', t = 'n', s }: Readonly<Record<string, string | undefined>>): Cell {
  return { reference: r, type: t, style: Number(s ?? 0), value: '', inline: '', hasFormula: false };
}

function withoutResult({ hasFormula, value }: Cell, { isUncalculated }: SheetContext): boolean {
  return hasFormula && (value === '' || (isUncalculated && value === '0'));
}

/** The address that a cell links to is better than a text that is none. */
function linked(cell: Cell, { mailLinks, ...context }: SheetContext): SheetCell {
  const content = contentOf(cell, context);
  if (typeof content !== 'string' || content.includes('@')) return content;
  return mailLinks.get(cell.reference) ?? content;
}

function contentOf(cell: Cell, { strings, formats }: Pick<SheetContext, 'strings' | 'formats'>): SheetCell {
  const { type, style, value, inline } = cell;
  switch (type) {
    case 's':
      return value === '' ? '' : (strings[Number(value)] ?? '');
    case 'inlineStr':
      return unescapeText(inline);
    case 'str':
      return unescapeText(value);
    case 'b':
      return value === '' ? '' : value === '1';
    case 'e':
      return '';
    case 'd':
      return value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
    default:
      return value.trim() === '' || !Number.isFinite(Number(value))
        ? value
        : formats.read(value.trim(), style);
  }
}
