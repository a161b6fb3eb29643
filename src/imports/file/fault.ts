import { Problem } from '../../problem.ts';

/** The rest of the file can't be read. The reader adds the row. */
export class FileFault extends Error {}

/** The 422 about a file. `row` is as a spreadsheet numbers it; undefined for the whole file. */
export function invalidFile(row: number | undefined, message: string): Problem {
  const [field, subject] = row === undefined ? ['file', 'The file'] : [`rows.${row}`, `Row ${row}`];
  const sentence = /^[a-z]/.test(message) ? `${subject} ${message}.` : message;
  return new Problem('invalid_file', sentence, { details: { errors: { [field]: [message] } } });
}
