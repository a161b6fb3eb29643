import type { Db } from '../../db/db.ts';
import type { StoredRow } from '../../table-files/stored-row.ts';
import { findSeenKeys } from '../queries.ts';
import { findEarlierRows } from '../result-queries.ts';
import type { ImportRow } from '../tables.ts';
import { hashOfId } from './seen-keys.ts';
import type { Tried } from './write-rows.ts';

/** The rows about a resource that an earlier row of the file is about too, each with the number of the first such row. */
export async function findRepeated(
  db: Db,
  run: ImportRow,
  rows: readonly StoredRow[],
  outcomes: readonly Tried[],
): Promise<Map<StoredRow, number>> {
  const idOf = (outcome: Tried | undefined) =>
    outcome !== undefined && 'row' in outcome ? outcome.row.id : undefined;
  const ids = outcomes.flatMap((outcome) => idOf(outcome) ?? []);
  const firstRows = await firstRowsOf(db, run, ids);
  const repeated = new Map<StoredRow, number>();
  for (const [index, row] of rows.entries()) {
    const outcome = outcomes[index];
    const id = idOf(outcome);
    const first = id === undefined ? undefined : firstRows.get(id);
    const earlier = first ?? (outcome && 'earlierRow' in outcome ? outcome.earlierRow : undefined);
    // A dry run has already remembered this chunk's rows.
    if (earlier !== undefined && earlier < row.row) repeated.set(row, earlier);
    else if (id !== undefined) firstRows.set(id, row.row);
  }
  return repeated;
}

/** In which row of an earlier chunk each resource (UUID) came first. */
async function firstRowsOf(db: Db, run: ImportRow, ids: readonly string[]): Promise<Map<string, number>> {
  if (!run.dry_run) return findEarlierRows(db, run.id, ids);
  const rowOf = await findSeenKeys(
    db,
    run.id,
    ids.map((id) => hashOfId(run.state.starts, id)),
  );
  return new Map(
    ids.flatMap((id) => {
      const row = rowOf.get(hashOfId(run.state.starts, id));
      return row === undefined ? [] : [[id, row] as const];
    }),
  );
}
