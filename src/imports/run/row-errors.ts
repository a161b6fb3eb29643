import { errorsOfProblem, MAX_OF_ROW } from '../../jobs/failures.ts';
import type { NewJobError } from '../../jobs/queries.ts';
import { type Problem, toSentence } from '../../problem.ts';
import type { RowFault } from '../../table-files/fault.ts';
import { firstCharacters } from '../../values/text.ts';
import { splitField } from '../mapping/fields.ts';
import type { RowWarning } from '../mapping/map-row.ts';
import type { ImportOptions } from '../tables.ts';

const MAX_FIELD = 100;
const MAX_MESSAGE = 500;

type Fault = Pick<RowFault, 'column' | 'message'>;

/** A failed row's errors, each with the column that the field comes from. */
export function errorsOfRow(
  { mapping }: Pick<ImportOptions, 'mapping'>,
  row: number,
  problem: Problem,
): NewJobError[] {
  return errorsOfProblem(problem).map((error) => ({
    row,
    severity: 'error',
    column: error.field === null ? null : columnOf(mapping, error.field),
    ...error,
  }));
}

/** The warnings about a row that was imported without some of its values. */
export function warningsOfRow(row: number, warnings: readonly RowWarning[]): NewJobError[] {
  return warnings.slice(0, MAX_OF_ROW).map(({ field, column, message, code = 'value_left_out' }) => ({
    row,
    severity: 'warning',
    column,
    field: field === null ? null : firstCharacters(field, MAX_FIELD),
    code,
    message: firstCharacters(message, MAX_MESSAGE),
  }));
}

/** The error of a row that the file's reader could not read. */
export function faultOfRow(row: number, { column, message }: Fault): NewJobError {
  return {
    row,
    severity: 'error',
    column: column ?? null,
    field: null,
    code: 'invalid_file',
    message: firstCharacters(toSentence(`Row ${row}`, message), MAX_MESSAGE),
  };
}

/** The first column mapped to the field, or to the field that contains it: `tags` for `tags.3`. */
function columnOf(mapping: ImportOptions['mapping'], field: string): string | null {
  const mappedTo = (wanted: string) => Object.keys(mapping).find((column) => mapping[column] === wanted);
  return mappedTo(field) ?? mappedTo(splitField(field)[0]) ?? null;
}
