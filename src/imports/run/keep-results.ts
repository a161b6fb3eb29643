import type { Db } from '../../db/db.ts';
import { countFailures } from '../../jobs/failures.ts';
import { insertErrors } from '../../jobs/queries.ts';
import type { Done } from '../../jobs/run-step.ts';
import { formatRows, type StoredRow } from '../../table-files/stored-row.ts';
import type { RowWarning } from '../mapping/map-row.ts';
import { deleteChunk, replaceRows } from '../queries.ts';
import { insertRows } from '../result-queries.ts';
import type { ImportRow } from '../tables.ts';
import { errorsOfRow, faultOfRow, warningsOfRow } from './row-errors.ts';
import type { Tried } from './write-rows.ts';

/** Maximum errors and warnings kept of an import, each: a file of invalid rows must not fill the disk. */
const MAX_KEPT = 100_000;
/** Maximum rejected rows of an import whose cells are kept. */
const MAX_REJECTED = 100_000;

/** What became of a row. */
export interface RowResult {
  row: StoredRow;
  outcome: Tried;
  warnings: readonly RowWarning[];
}

/** Stores the results of a chunk, and its rejected rows. */
export async function keepResults(
  trx: Db,
  run: ImportRow,
  results: readonly RowResult[],
): Promise<Done<ImportRow>> {
  const byRow = results.map((result) => errorsOf(run, result));
  const errors = byRow.flat().slice(0, MAX_KEPT - run.errors_kept);
  const warned = results.filter(
    ({ outcome, warnings }) => outcome.status !== 'failed' && warnings.length > 0,
  );
  const warnings = warned
    .flatMap(({ row, warnings }) => warningsOfRow(row.row, warnings))
    .slice(0, MAX_KEPT - run.warnings_kept);
  await insertErrors(trx, run.id, [...errors, ...warnings]);
  await insertRows(trx, run.id, results.map(rowOf(run)));
  const rejected = results.flatMap(({ row, outcome }) => (outcome.status === 'failed' ? [row] : []));
  await keepRejected(trx, run, rejected);
  const count = (status: string) => results.filter(({ outcome }) => outcome.status === status).length;
  const { counts, state } = run;
  const done = run.rows_done + results.length;
  return {
    changes: {
      rows_done: done,
      counts: {
        created: counts.created + count('created'),
        updated: counts.updated + count('updated'),
        unchanged: counts.unchanged + count('unchanged'),
        failed: counts.failed + rejected.length,
        warned: counts.warned + warned.length,
      },
      failures: countFailures(run.failures, byRow),
      errors_kept: run.errors_kept + errors.length,
      warnings_kept: run.warnings_kept + warnings.length,
      state: {
        ...state,
        rejected_width: Math.max(state.rejected_width, ...rejected.map(({ cells }) => cells.length)),
      },
    },
    isLast: done >= run.rows_total,
  };
}

function errorsOf(run: ImportRow, { row, outcome }: RowResult) {
  if (outcome.status !== 'failed') return [];
  return row.fault ? [faultOfRow(row.row, row.fault)] : errorsOfRow(run.options, row.row, outcome.error);
}

/** In a dry run, the row may have been rolled back. */
function rowOf({ dry_run }: ImportRow) {
  return ({ row: { row }, outcome }: RowResult) => ({
    row,
    outcome: outcome.status,
    resource_id: !dry_run && 'row' in outcome ? outcome.row.id : null,
  });
}

/** The other rows are no longer needed, and contain personal data. A dry run can still be started. */
async function keepRejected(trx: Db, run: ImportRow, rejected: readonly StoredRow[]): Promise<void> {
  if (run.dry_run) return;
  const { failed } = run.counts;
  const kept = rejected.filter(({ isErased }) => !isErased).slice(0, MAX_REJECTED - failed);
  if (kept.length === 0 || failed >= MAX_REJECTED) await deleteChunk(trx, run.id, run.next_chunk);
  else await replaceRows(trx, run.id, run.next_chunk, formatRows(kept));
}
