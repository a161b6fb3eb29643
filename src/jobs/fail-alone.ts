import { isBrokenStatement, isUnavailable } from '../db/errors.ts';

/**
 * Writes the rows together. If that fails unexpectedly, writes each half separately, until only the rows that can't be
 * written fail. `write` must leave nothing behind when it rejects. Rethrows errors that are not caused by a row.
 */
export async function failAlone<Row, Outcome>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<Outcome[]>,
  fail: (row: Row, error: unknown) => Outcome,
): Promise<Outcome[]> {
  try {
    return await write(rows);
  } catch (error) {
    if (isUnavailable(error) || isBrokenStatement(error)) throw error;
    const [row] = rows;
    if (row === undefined) throw error;
    if (rows.length === 1) return [fail(row, error)];
  }
  const half = Math.ceil(rows.length / 2);
  const first = await failAlone(rows.slice(0, half), write, fail);
  return [...first, ...(await failAlone(rows.slice(half), write, fail))];
}
