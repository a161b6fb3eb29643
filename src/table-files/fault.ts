import { Problem, toSentence } from '../problem.ts';

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

/** The 422 about a whole file. */
export function invalidFile(message: string): Problem {
  const sentence = toSentence('The file', message);
  return new Problem('invalid_file', sentence, { details: { errors: { file: [sentence] } } });
}

/** The 422 about rows of a file. The message is about the first one. */
export function invalidRows(faults: readonly RowFault[]): Problem {
  const sentences = faults.map(
    ({ row, message }) => [`rows.${row}`, toSentence(`Row ${row}`, message)] as const,
  );
  const errors = Object.fromEntries(sentences.map(([row, sentence]) => [row, [sentence]]));
  return new Problem('invalid_file', sentences[0]?.[1] ?? 'No row can be read.', { details: { errors } });
}
