import { schemas } from '../../../generated/limits.ts';
import { textFault } from '../../http/body/body.ts';
import { jsonBytes } from '../../values/json-size.ts';
import { firstCharacters } from '../../values/text.ts';
import { invalidFile, type Remark, type RowFault } from './fault.ts';
import { type FileRow, formatRow } from './stored-row.ts';

/** Maximum rows of a chunk. Few, so that a transaction's locks and computation delay other requests only briefly. */
const CHUNK_ROWS = 250;
/** Maximum size of a chunk as JSON, since it is in memory as a whole. Characters. */
const CHUNK_SIZE = 256 * 1024;
const MAX_ROWS = 1_000_000;
/** Including empty rows, which take time to read. */
const MAX_ALL_ROWS = 2 * MAX_ROWS;
const MAX_COLUMNS = schemas.ImportMapping.maxProperties;
const MAX_NAME = 100;
const MAX_COLUMNS_BYTES = 262_144;
const SAMPLE_ROWS = 1_000;
/** As JSON. Characters. */
const SAMPLE_SIZE = 1024 * 1024;
/** That the summary has. All of them are stored. */
const MAX_FAULTS = 1_000;
const MAX_REMARKS = 100;

/** Stores a file's rows in chunks, so that only one chunk is in memory. */
export class Table {
  readonly #columns = new Map<string, number>();
  readonly #store: (number: number, rows: string) => Promise<void>;
  #rows: string[] = [];
  #size = 0;
  #chunks = 0;
  #total = 0;
  #sampleSize = 0;
  readonly #sample: (readonly unknown[])[] = [];
  readonly #faults: RowFault[] = [];
  #faultsTotal = 0;
  readonly #remarks: Remark[] = [];

  constructor(store: (number: number, rows: string) => Promise<void>) {
    this.#store = store;
  }

  get columns(): string[] {
    return [...this.#columns.keys()];
  }

  get rows(): number {
    return this.#total;
  }

  /** The cells of the first rows, by column. */
  get sample(): readonly (readonly unknown[])[] {
    return this.#sample;
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

  /** Stores a row that can't be read among the others: it fails when they are imported. */
  async addFault({ cells = [], ...fault }: RowFault): Promise<void> {
    this.#limitTotal(fault.row);
    this.#faultsTotal += 1;
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault);
    await this.#push(formatRow({ row: fault.row, cells, fault }));
  }

  addRemark(remark: Remark): void {
    if (this.#remarks.length < MAX_REMARKS) this.#remarks.push(remark);
  }

  setColumns(names: readonly string[], row: number): void {
    names.forEach((name, index) => {
      const column = name.trim() || `Column ${index + 1}`;
      if (this.#columns.has(column))
        throw invalidFile(row, `has two columns with the same name: ${firstCharacters(column, MAX_NAME)}`);
      this.columnIndex(column, row);
    });
  }

  /** Adds the column if it is new. */
  columnIndex(name: string, row: number): number {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const fault = textFault(name);
    if (fault !== undefined) throw invalidFile(row, `has a column whose name ${fault}`);
    if (name === '' || firstCharacters(name, MAX_NAME) !== name) {
      throw invalidFile(row, `has a column whose name does not have 1 to ${MAX_NAME} characters`);
    }
    const index = this.#columns.size;
    if (index >= MAX_COLUMNS) throw invalidFile(row, `has more than ${MAX_COLUMNS} columns`);
    this.#columns.set(name, index);
    if (jsonBytes(this.columns) > MAX_COLUMNS_BYTES) {
      throw invalidFile(row, `has column names of more than ${MAX_COLUMNS_BYTES / 1024} KiB together`);
    }
    return index;
  }

  /** Throws 422 if this row, empty or not, is beyond the limit. */
  limitRow(row: number): void {
    if (row <= MAX_ALL_ROWS) return;
    throw invalidFile(
      MAX_ALL_ROWS + 1,
      `The file has more than ${counted(MAX_ALL_ROWS)} rows, including empty ones.`,
    );
  }

  async add({ row, cells }: FileRow): Promise<void> {
    this.#limitTotal(row);
    this.#total += 1;
    const text = formatRow({ row, cells });
    this.#sampleSize += text.length;
    if (this.#sample.length < SAMPLE_ROWS && this.#sampleSize < SAMPLE_SIZE) this.#sample.push(cells);
    await this.#push(text);
  }

  #limitTotal(row: number): void {
    if (this.#total + this.#faultsTotal < MAX_ROWS) return;
    throw invalidFile(row, `The file has more than ${counted(MAX_ROWS)} rows.`);
  }

  async #push(text: string): Promise<void> {
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
