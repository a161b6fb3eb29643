import { Problem } from '../../problem.ts';

/** A row that can't be read. It fails alone. */
export interface RowFault {
  /** As a spreadsheet numbers it. */
  row: number;
  column?: string;
  message: string;
  /** What could be read of the row, for the file of rejected rows. */
  cells?: readonly unknown[];
}

/** What the client should know about the file, or about one of its columns or rows. */
export interface Remark {
  code: string;
  column: string | null;
  row: number | null;
  /** A whole sentence. */
  message: string;
}

/** The rest of the file can't be read. The reader adds the row. */
export class FileFault extends Error {}

/** The 422 about a file. `row` is as a spreadsheet numbers it; undefined for the whole file. */
export function invalidFile(row: number | undefined, message: string): Problem {
  const [field, subject] = row === undefined ? ['file', 'The file'] : [`rows.${row}`, `Row ${row}`];
  const sentence = /^[a-z]/.test(message) ? `${subject} ${message}.` : message;
  return new Problem('invalid_file', sentence, { details: { errors: { [field]: [message] } } });
}
