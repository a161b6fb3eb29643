import { isObject, parseExactJson } from '../../values/exact-json.ts';
import type { Table } from '../table.ts';

/** Maximum size of a row, as of a single request's body. Characters. */
export const MAX_ROW = 262_144;
/** Maximum nesting of a row, including the row itself, as of a request's body. */
const MAX_DEPTH = 10;
/** Text of a row that is kept with its fault. Characters. */
const MAX_SHOWN = 2_000;

export const TOO_LONG = 'is longer than 256 KiB';

/** Stores rows that are JSON objects. The columns are the keys of all rows. */
export class JsonRows {
  readonly #table: Table;
  readonly #indexes = new Map<string, number | undefined>();

  constructor(table: Table) {
    this.#table = table;
  }

  async add(row: number, text: string): Promise<void> {
    this.#table.limitRow(row);
    if (text.length > MAX_ROW) return this.addFault(row, text, TOO_LONG);
    const value = parse(text);
    if (typeof value === 'string') return this.addFault(row, text, value);
    const cells: unknown[] = [];
    for (const [name, cell] of Object.entries(value)) {
      const index = this.#indexOf(name, row);
      if (index !== undefined) cells[index] = cell;
    }
    await this.#table.add({ row, cells: Array.from(cells, (cell) => cell ?? null) });
  }

  addFault(row: number, text: string, message: string): Promise<void> {
    return this.#table.addFault({ row, cells: [text.slice(0, MAX_SHOWN)], message });
  }

  #indexOf(name: string, row: number): number | undefined {
    if (this.#indexes.has(name)) return this.#indexes.get(name);
    const index = this.#table.addColumn(name, row);
    // Otherwise, a file could fill the memory with names that are not used.
    if (index !== undefined) this.#indexes.set(name, index);
    return index;
  }
}

/** The object, or what is wrong. */
function parse(text: string): object | string {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return 'is not valid JSON';
  }
  if (!isObject(value) || Array.isArray(value)) return 'must be a JSON object';
  if (isDeeper(value, MAX_DEPTH)) return `is nested deeper than ${MAX_DEPTH} levels`;
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
