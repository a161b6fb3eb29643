import type { Expansion } from './bytes/expansion.ts';
import { Columns } from './columns.ts';
import { invalidFile, type Remark, type RowFault } from './fault.ts';
import { FirstRows } from './first-rows.ts';
import { filledCells, filledWidth, type SheetRow, textOf } from './sheet/sheet-row.ts';
import { type FileRow, formatRow } from './stored-row.ts';

/** Maximum rows of a chunk. Few, so that a transaction's locks and computation delay other requests only briefly. */
const CHUNK_ROWS = 250;
/** Maximum size of a chunk as JSON, since it is in memory as a whole. Characters. */
const CHUNK_SIZE = 256 * 1024;
const MAX_ROWS = 1_000_000;
/** Including empty rows, which take time to read. */
const MAX_ALL_ROWS = 2 * MAX_ROWS;
/** Faults kept in the summary. All faults are stored with the rows. */
const MAX_FAULTS = 1_000;
const MAX_REMARKS = 100;

/** Rows at the end of a table, by their numbers, and the first text in them. */
export interface Footer {
  row: number;
  last: number;
  text: string;
}

interface TableOptions {
  /** Whether the rows of a footer are not stored. */
  leavesFooter?: boolean | undefined;
  /** Called for each row. */
  progress?: (() => void) | undefined;
}

/** Stores a file's rows in chunks, so that only one chunk is in memory. */
export class Table {
  readonly #columns = new Columns();
  readonly #store: (number: number, rows: string) => Promise<void>;
  readonly #expansion: Expansion;
  readonly #leavesFooter: boolean;
  readonly #progress: () => void;
  readonly #first = new FirstRows();
  readonly #faults: RowFault[] = [];
  readonly #remarks: Remark[] = [];
  #hasHeader = true;
  #width = 0;
  /** Columns up to the last one that has a name or a value. */
  #filled = 0;
  #rows: string[] = [];
  #size = 0;
  /** Characters of all rows, including those that are not stored. */
  #spent = 0;
  #chunks = 0;
  #total = 0;
  #faultsTotal = 0;
  #footer: Footer | undefined;

  constructor(
    store: (number: number, rows: string) => Promise<void>,
    expansion: Expansion,
    { leavesFooter = false, progress = () => undefined }: TableOptions = {},
  ) {
    this.#store = store;
    this.#expansion = expansion;
    this.#leavesFooter = leavesFooter;
    this.#progress = progress;
  }

  /** What looks like a footer below the table. */
  get footer(): Footer | undefined {
    return this.#footer;
  }

  get columns(): string[] {
    return this.#columns.names.slice(0, this.#filled);
  }

  get hasHeader(): boolean {
    return this.#hasHeader;
  }

  /** The number of cells that a row may have, including those of columns that were left out. */
  get width(): number {
    return this.#width;
  }

  get rows(): number {
    return this.#total;
  }

  /** The cells of the first rows, by column. */
  get sample(): readonly (readonly unknown[])[] {
    return this.#first.rows;
  }

  get faults(): readonly RowFault[] {
    return this.#faults;
  }

  /** Includes faults that were not kept. */
  get faultsTotal(): number {
    return this.#faultsTotal;
  }

  get remarks(): readonly Remark[] {
    return this.#remarks;
  }

  addRemark(remark: Remark): void {
    if (this.#remarks.length < MAX_REMARKS) this.#remarks.push(remark);
  }

  /** Names the columns as this row does. */
  setHeader({ row, cells }: SheetRow): void {
    this.#width = cells.length;
    for (const cell of cells) {
      const added = this.#columns.add(textOf(cell));
      if (added?.isNumbered !== true) continue;
      const message = `Several columns have the same name. One of them is called ${added.name} here.`;
      this.addRemark({ code: 'column_renamed', column: added.name, row, message });
    }
    this.#filled = Math.min(filledWidth(cells), this.#columns.names.length);
    this.#tellLeft(row);
  }

  /** Names the columns by their positions, since no row does. */
  setWidth(width: number, row: number): void {
    this.#hasHeader = false;
    this.#width = width;
    if (width === 0) return;
    for (let index = 0; index < width; index += 1) this.#columns.add('');
    const message =
      'No row with column names was found. The columns are called Column 1, Column 2, and so on. Check their mapping.';
    this.addRemark({ code: 'no_header', column: null, row, message });
    this.#tellLeft(row);
  }

  /** Adds a column, of a file whose rows name their cells. Undefined if there are too many. */
  addColumn(name: string, row: number): number | undefined {
    const index = this.#columns.add(name)?.index;
    if (index === undefined && this.#columns.left === 1) this.#tellLeft(row);
    this.#width = this.#columns.names.length;
    this.#filled = this.#width;
    return index;
  }

  #tellLeft(row: number): void {
    if (this.#columns.left === 0) return;
    const message = `The file has too many columns. Only the first ${counted(this.#columns.names.length)} can be used.`;
    this.addRemark({ code: 'columns_left_out', column: null, row, message });
  }

  /** Throws 422 if this row, empty or not, is beyond the limit. */
  limitRow(row: number): void {
    if (row <= MAX_ALL_ROWS) return;
    throw invalidFile(`The file has more than ${counted(MAX_ALL_ROWS)} rows, including empty ones.`);
  }

  /** Ends with rows that look like a footer. They are no sample of what the columns contain. */
  async endWith(rows: readonly SheetRow[]): Promise<void> {
    const [first] = rows;
    const last = rows.at(-1);
    if (first === undefined || last === undefined) return;
    this.#footer = { row: first.row, last: last.row, text: filledCells(first.cells)[0] ?? '' };
    if (this.#leavesFooter) return;
    this.#first.close();
    for (const { row, cells } of rows) await this.add({ row, cells: cells.slice(0, this.#width) });
  }

  async add({ row, cells }: FileRow): Promise<void> {
    this.#limitTotal();
    this.#total += 1;
    const width = Math.min(cells.length, this.#columns.names.length);
    const used = width < cells.length ? cells.slice(0, width) : cells;
    for (let last = width; last > this.#filled; last -= 1) {
      if (used[last - 1] !== '' && used[last - 1] !== null) this.#filled = last;
    }
    const text = formatRow({ row, cells: used });
    this.#first.add(used, text.length);
    await this.#push(text);
  }

  /** Stores a row that can't be read among the others: it fails when they are imported. */
  async addFault({ cells = [], ...fault }: RowFault): Promise<void> {
    this.#limitTotal();
    this.#faultsTotal += 1;
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault);
    await this.#push(formatRow({ row: fault.row, cells, fault }));
  }

  #limitTotal(): void {
    if (this.#total + this.#faultsTotal < MAX_ROWS) return;
    throw invalidFile(`The file has more than ${counted(MAX_ROWS)} rows.`);
  }

  /** Counts characters of a row. Throws 422 if the file has more than its size can explain. */
  spend(characters: number): void {
    this.#spent += characters;
    this.#expansion.check(this.#spent);
  }

  async #push(text: string): Promise<void> {
    this.spend(text.length);
    this.#progress();
    this.#rows.push(text);
    this.#size += text.length;
    if (this.#rows.length >= CHUNK_ROWS || this.#size >= CHUNK_SIZE) await this.flush();
  }

  /** Stores the rows that are left. */
  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const rows = `[${this.#rows.join()}]`;
    this.#rows = [];
    this.#size = 0;
    this.#chunks += 1;
    await this.#store(this.#chunks - 1, rows);
  }
}

function counted(rows: number): string {
  return rows.toLocaleString('en');
}
