import { firstCharacters } from '../../values/text.ts';
import type { Table } from '../table.ts';
import { findHeader } from './find-header.ts';
import { maybeFooter } from './footer.ts';
import { filledCells, filledWidth, isBlankCell, type SheetRow, sizeOf } from './sheet-row.ts';

/** Rows by which the column names are found, and their size. Characters. */
const FIRST_ROWS = 100;
const FIRST_SIZE = 1024 * 1024;
/** Rows of a footer. Longer ones are imported, and fail. */
const MAX_FOOTER = 10;

/**
 * Finds the table in a sheet: skips what is above it, and blank rows. What is skipped gets a remark. What looks like a footer
 * below the table is kept, unless the client has said that it can be left out.
 */
export class Sheet {
  readonly #table: Table;
  readonly #isPositioned: boolean;
  /** The first rows, until the header is found. */
  #first: SheetRow[] | undefined = [];
  #firstSize = 0;
  /** The number of the last row that wasn't blank. */
  #last = 0;
  /** Rows that are a footer if nothing follows. */
  #footer: SheetRow[] = [];

  /** With `isPositioned`, cells have addresses, so one beside the table doesn't shift others. */
  constructor(table: Table, isPositioned = false) {
    this.#table = table;
    this.#isPositioned = isPositioned;
  }

  async add(row: SheetRow): Promise<void> {
    const { cells, fault } = row;
    if (fault === undefined && isBlankCell(cells[0]) && filledWidth(cells) === 0) {
      this.#table.spend(sizeOf(cells));
      return this.#table.limitRow(row.row);
    }
    if (this.#first === undefined) return this.#addData(row);
    this.#first.push(row);
    this.#firstSize += sizeOf(cells);
    if (this.#first.length >= FIRST_ROWS || this.#firstSize >= FIRST_SIZE) await this.#begin();
  }

  async end(): Promise<void> {
    await this.#begin();
    await this.#table.endWith(this.#footer);
  }

  async #begin(): Promise<void> {
    const rows = this.#first;
    if (rows === undefined) return;
    this.#first = undefined;
    const { header, start } = findHeader(rows);
    const names = rows[header ?? -1];
    if (names !== undefined) this.#table.setHeader(names);
    else if (rows.length > 0) {
      const readable = rows.slice(start).filter(({ fault }) => fault === undefined);
      const width = Math.max(0, ...readable.map(({ cells }) => filledWidth(cells)));
      this.#table.setWidth(width, rows[start]?.row ?? 1);
    }
    await this.#skip(rows.slice(0, header ?? start));
    this.#last = names?.row ?? 0;
    for (const row of rows.slice(start)) await this.#addData(row);
  }

  /** Skips the rows above the header. */
  async #skip(above: readonly SheetRow[]): Promise<void> {
    const rows = above.filter(({ fault }) => fault === undefined);
    for (const { row, cells, fault } of above) {
      if (fault !== undefined) await this.#table.addFault({ row, cells, message: fault });
    }
    const [first] = rows;
    const last = rows.at(-1);
    if (first === undefined || last === undefined) return;
    const where = first === last ? `Row ${first.row} was` : `Rows ${first.row} to ${last.row} were`;
    this.#table.addRemark({
      code: 'rows_above_header',
      column: null,
      row: first.row,
      message: `${where} not imported, because the table begins below.`,
    });
  }

  async #addData(row: SheetRow): Promise<void> {
    const isApart = row.row > this.#last + 1 || this.#footer.length > 0;
    this.#last = row.row;
    const isSparse = isBlankCell(row.cells[1]) || isBlankCell(row.cells[0]);
    if (row.fault === undefined && isSparse && maybeFooter(row.cells, this.#table.width, isApart)) {
      this.#footer.push(row);
      if (this.#footer.length > MAX_FOOTER) await this.#importFooter();
      return;
    }
    if (this.#footer.length > 0) await this.#importFooter();
    return this.#store(row);
  }

  /** More rows follow, so these are not a footer. */
  async #importFooter(): Promise<void> {
    const rows = this.#footer;
    this.#footer = [];
    for (const row of rows) await this.#store(row);
  }

  #store({ row, cells, fault }: SheetRow): Promise<void> {
    const { width } = this.#table;
    if (fault !== undefined) return this.#table.addFault({ row, cells, message: fault });
    if (cells.length <= width) return this.#table.add({ row, cells });
    const filled = filledWidth(cells);
    if (filled <= width) return this.#table.add({ row, cells: cells.slice(0, width) });
    if (this.#isPositioned) {
      const stray = filledCells(cells.slice(width))[0] ?? '';
      const message = `Row ${row} has a cell beside the table, which was left out: ${firstCharacters(stray, 100)}`;
      this.#table.addRemark({ code: 'stray_cells', column: null, row, message });
      return this.#table.add({ row, cells: cells.slice(0, width) });
    }
    const message = `has ${filled} cells, but the file has ${width} columns`;
    return this.#table.addFault({ row, cells: cells.slice(0, filled), message });
  }
}
