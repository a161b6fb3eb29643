import { toText } from '../../spellings/draft.ts';
import type { ExactNumber } from '../../values/exact-json.ts';

/** Characters of a number, or of an amount with its currency. */
const MAX_NUMBER = 30;

/** A workbook says what its cells are. In a CSV file, all of them are texts. */
export type Cell = string | boolean | ExactNumber | { amount: ExactNumber; currency: string };

/** A row of a CSV file or a workbook, above, in or below the table that it has. */
export interface SheetRow {
  /** As a spreadsheet numbers it. */
  row: number;
  cells: readonly Cell[];
  /** Why it can't be read. Its cells are then what could be read. */
  fault?: string;
}

/** About as many characters as the row takes. */
export function sizeOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length + 3 : MAX_NUMBER), 0);
}

/** The number of cells up to the last one that isn't blank. */
export function filledWidth(cells: readonly Cell[]): number {
  let width = cells.length;
  while (width > 0 && isBlankCell(cells[width - 1])) width -= 1;
  return width;
}

export function isBlankCell(cell: Cell = ''): boolean {
  return cell === '' || (typeof cell === 'string' && cell.trim() === '');
}

/** The texts of the cells that aren't blank. */
export function filledCells(cells: readonly Cell[]): string[] {
  return cells.filter((cell) => !isBlankCell(cell)).map(textOf);
}

export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : (toText(cell) ?? '');
}
