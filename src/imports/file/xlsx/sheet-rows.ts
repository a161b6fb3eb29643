import { schemas } from '../../../../generated/limits.ts';
import { MAX_RECORD } from '../csv/records.ts';
import { type Cell as SheetCell, type SheetRow, textOf } from '../sheet/sheet-row.ts';
import type { NumberFormats } from './number-formats.ts';
import type { SharedStrings } from './shared-strings.ts';
import { unescapeText } from './texts.ts';
import type { XmlHandlers } from './xml.ts';

/** As Excel. */
const MAX_ROWS = 1_048_576;
/** Cells beyond the last column that can be used count as one, which shows that the row has too many. */
const LAST_COLUMN = schemas.ImportMapping.maxProperties;

interface Cell {
  type: string;
  style: number;
  /** The text of `v`. */
  value: string;
  /** The text of `is`. */
  inline: string;
}

/** Collects the rows of a sheet. */
export function rowsOf(
  strings: SharedStrings,
  formats: NumberFormats,
  take: (row: SheetRow) => void,
): XmlHandlers {
  let row = 0;
  let column = -1;
  let cells: SheetCell[] = [];
  let size = 0;
  let cell: Cell = { type: 'n', style: 0, value: '', inline: '' };
  let inside: 'value' | 'inline' | undefined;
  let isGuide = false;

  function begin({ r, t, s }: Readonly<Record<string, string>>): void {
    column = Math.min(columnOf(r) ?? column + 1, LAST_COLUMN);
    cell = { type: t ?? 'n', style: Number(s ?? 0), value: '', inline: '' };
  }

  function end(): void {
    if (size > MAX_RECORD) return;
    const content = contentOf(cell, strings, formats);
    if (content === '') return;
    while (cells.length < column) cells.push('');
    size += textOf(content).length;
    cells[column] = content;
  }

  return {
    open(name, attributes) {
      if (name === 'c') begin(attributes);
      else if (name === 'v') inside = 'value';
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

function contentOf(cell: Cell, strings: SharedStrings, formats: NumberFormats): SheetCell {
  const { type, style, value, inline } = cell;
  switch (type) {
    case 's':
      return value === '' ? '' : strings.get(Number(value));
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
