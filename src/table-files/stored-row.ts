import { parseExactJson } from '../values/exact-json.ts';
import type { RowFault } from './fault.ts';

export interface FileRow {
  /** As a spreadsheet numbers it. */
  row: number;
  /** By column. The last cells may be missing. */
  cells: readonly unknown[];
}

/** A row of a stored chunk. An erased row has no cells. A row that can't be read has the cells that could be. */
export type StoredRow = FileRow & { isErased?: true; fault?: Pick<RowFault, 'column' | 'message'> };

/** A chunk has most rows as arrays, which are short and fast; erased rows and those that can't be read are objects. */
export function formatRow({ row, cells, isErased, fault }: StoredRow): string {
  if (isErased) return JSON.stringify({ erased: row });
  if (fault === undefined) return JSON.stringify([row, ...cells]);
  return JSON.stringify({ row, column: fault.column, fault: fault.message, cells });
}

export function formatRows(rows: readonly StoredRow[]): string {
  return `[${rows.map(formatRow).join()}]`;
}

type Stored =
  | [number, ...unknown[]]
  | { erased: number }
  | { row: number; column?: string; fault: string; cells: unknown[] };

export function parseRows(text: string): StoredRow[] {
  const rows = (JSON.parse(text) as Stored[]).map(toRow);
  const isText = (cell: unknown) => typeof cell === 'string' || cell === null;
  if (rows.every(({ cells }) => cells.every(isText))) return rows;
  // Most files have texts only, and exact parsing takes ten times as long.
  return (parseExactJson(text) as Stored[]).map(toRow);
}

/** Exact parsing gives the row's number as an ExactNumber, too. */
function toRow(stored: Stored): StoredRow {
  if (Array.isArray(stored)) {
    const [row, ...cells] = stored;
    return { row: Number(row), cells };
  }
  if ('erased' in stored) return { row: Number(stored.erased), cells: [], isErased: true };
  const { row, column, fault: message, cells } = stored;
  return { row: Number(row), cells, fault: { ...(column !== undefined && { column }), message } };
}
