import { invalidField, type Problem } from '../../problem.ts';

/** The file can't be read from here on. The reader knows the row. */
export class FileFault extends Error {}

/** The 422 about a file. `row` is as a spreadsheet numbers it; undefined for the whole file. */
export function invalidFile(row: number | undefined, message: string): Problem {
  return invalidField(row === undefined ? 'file' : `rows.${row}`, message, 'invalid_file');
}
