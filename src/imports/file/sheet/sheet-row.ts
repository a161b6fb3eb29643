/** A row of a CSV file or a workbook, above, in or below the table that it has. */
export interface SheetRow {
  /** As a spreadsheet numbers it. */
  row: number;
  cells: readonly string[];
  /** Why it can't be read. Its cells are then what could be read. */
  fault?: string;
}

/** The number of cells up to the last one that isn't blank. */
export function filledWidth(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && isBlankCell(cells[width - 1])) width -= 1;
  return width;
}

export function isBlankCell(cell = ''): boolean {
  return cell === '' || cell.trim() === '';
}

/** The cells that aren't blank. */
export function filledCells(cells: readonly string[]): string[] {
  return cells.filter((cell) => !isBlankCell(cell));
}
