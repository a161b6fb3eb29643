import type { Problem } from '../../problem.ts';
import { newUuid } from '../../values/id.ts';
import { firstCharacters, storable } from '../../values/text.ts';
import { splitField } from '../mapping/fields.ts';
import type { ImportErrorRow, ImportRow } from '../tables.ts';

/** Maximum errors kept per row and per import: a file of invalid rows must not fill the disk. */
const MAX_OF_ROW = 10;
export const MAX_ERRORS = 100_000;
const MAX_FIELD = 100;
const MAX_MESSAGE = 500;

/** A failed row's errors, each with the column that the field comes from. */
export function errorsOfRow(
  { mapping }: Pick<ImportRow, 'mapping'>,
  row: number,
  problem: Problem,
): ImportErrorRow[] {
  const { code, message, details } = problem;
  const errors = Object.entries(details.errors ?? {}).flatMap(([field, messages]) =>
    messages.map((each) => ({
      id: newUuid(),
      row,
      column: columnOf(mapping, field),
      field: storable(firstCharacters(field, MAX_FIELD)),
      code,
      message: storable(firstCharacters(each, MAX_MESSAGE)),
    })),
  );
  if (errors.length > 0) return errors.slice(0, MAX_OF_ROW);
  return [
    {
      id: newUuid(),
      row,
      column: null,
      field: null,
      code,
      message: storable(firstCharacters(message, MAX_MESSAGE)),
    },
  ];
}

/** The first column mapped to the field, or to the field that contains it: `tags` for `tags.3`. */
function columnOf(mapping: ImportRow['mapping'], field: string): string | null {
  const mappedTo = (wanted: string) => Object.keys(mapping).find((column) => mapping[column] === wanted);
  return mappedTo(field) ?? mappedTo(splitField(field)[0]) ?? null;
}
