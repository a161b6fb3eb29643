import type { Logger } from 'pino';
import type { Actor } from '../../actor.ts';
import type { Db } from '../../db/db.ts';
import type { RowValues } from '../../db/row-statements.ts';
import { failAlone } from '../../jobs/fail-alone.ts';
import { anonymous } from '../../principal.ts';
import { Problem } from '../../problem.ts';
import { toId } from '../../values/id.ts';
import { mapInSlices } from '../../values/slices.ts';
import { eraseRows } from '../erasure/erased-rows.ts';
import { erasedAmong, lockErasures, wasErasedSince } from '../erasure/erasure-queries.ts';
import { parseRows, type StoredRow } from '../file/stored-row.ts';
import { createMapRow, type RowWarning } from '../mapping/map-row.ts';
import type { ImportRow } from '../tables.ts';
import { addNotes } from './add-notes.ts';
import { type Checks, checkBodies, type Item } from './check-bodies.ts';
import { keepResults, type RowResult } from './keep-results.ts';
import { assignOwners } from './owners.ts';
import { pastOfExisting } from './past-of-existing.ts';
import { findRepeated } from './repeated-rows.ts';
import { addSeen, findSeen } from './seen-keys.ts';
import { type Tried, writeItems } from './write-rows.ts';

/** What importing rows needs. */
export interface Worker {
  db: Db;
  logger: Logger;
}

/** Somebody was erased from a chunk while it was imported. The chunk is imported again, without them. */
export class ErasedMeanwhile extends Error {
  readonly importId: string;

  constructor(importId: string) {
    super('A person was erased while their row was imported.');
    this.importId = importId;
  }
}

/** Imports a chunk's rows and keeps their results. Returns the import's columns to update. */
export async function importChunk(
  { db: trx, logger, actor }: Worker & { actor: Actor },
  run: ImportRow,
  chunk: { rows: string; created_at: string },
  checks: Checks,
): Promise<RowValues<ImportRow>> {
  const stored = parseRows(chunk.rows);
  const rows = await withoutErased(trx, run, stored, chunk.created_at);
  const context = {
    actor,
    requestId: run.request_id,
    principal: anonymous,
    // A file may have any number of rows about the same lead, since nobody waits for the response.
    maxRounds: Number.POSITIVE_INFINITY,
    ...checks,
  };
  const unexpected: { row: number; err: unknown }[] = [];
  const mapRows = createMapRows(run);
  const outcomes = await failAlone<StoredRow, Tried>(
    rows,
    async (some) => {
      const owned = await assignOwners(await mapRows.bodies(some), run, { ...context, db: trx });
      for (const [index, warning] of owned.warnings) mapRows.warn(some[index], warning);
      const checked = await checkBodies(run, owned.bodies, checks);
      const items = checked.map((item, index) => faultOf(some[index]) ?? item);
      const writer = { ...context, assignable: owned.assignable };
      const written = run.dry_run
        ? await tryItems(trx, run, some, items, writer)
        : await writeItems(run, items, { ...writer, db: trx });
      for (const [index, warning] of pastOfExisting(run, items, written)) mapRows.warn(some[index], warning);
      if (!run.dry_run) await addNotes(run, written, some.map(mapRows.noteOf), { ...context, db: trx });
      return written;
    },
    ({ row }, err) => {
      unexpected.push({ row, err });
      return {
        status: 'failed',
        error: new Problem('internal_error', 'The service could not import this row.'),
      };
    },
  );
  await lockErasures(trx);
  const after = await withoutErased(trx, run, rows, chunk.created_at);
  if (after.some(({ isErased }, index) => isErased !== rows[index]?.isErased))
    throw new ErasedMeanwhile(run.id);
  // Only the first one: a file can have a million of them.
  const [first] = unexpected;
  if (first !== undefined) {
    const line = { import: toId('import', run.id), ...first, rows: unexpected.length };
    logger.error(line, 'Rows of an import failed unexpectedly.');
  }
  for (const [row, earlier] of await findRepeated(trx, run, rows, outcomes)) {
    const message = `Row ${earlier} of this file is about the same record. Both were applied, in their order.`;
    mapRows.warn(row, { field: null, message, code: 'repeated_row' });
  }
  const results = rows.map(
    (row, index): RowResult => ({
      row,
      outcome: outcomes[index] as Tried,
      warnings: mapRows.warningsOf(row),
    }),
  );
  return keepResults(trx, run, results);
}

/** Maps rows, and remembers their notes, and which of their values were left out. */
function createMapRows(run: ImportRow) {
  const mapRow = createMapRow(run);
  const warnings = new Map<StoredRow, readonly RowWarning[]>();
  const notes = new Map<StoredRow, string>();
  return {
    bodies: (rows: readonly StoredRow[]) =>
      mapInSlices(rows, (row) => {
        if (row.isErased || row.fault) return {};
        const mapped = mapRow(row);
        if (mapped.warnings.length > 0) warnings.set(row, mapped.warnings);
        if (mapped.note !== undefined) notes.set(row, mapped.note);
        return mapped.body;
      }),
    noteOf: (row: StoredRow) => notes.get(row),
    warn(row: StoredRow | undefined, { field, ...warning }: Omit<RowWarning, 'column'>) {
      if (row === undefined) return;
      const column = Object.keys(run.mapping).find((name) => run.mapping[name] === field) ?? null;
      const others = (warnings.get(row) ?? []).filter((other) => other.field !== field);
      warnings.set(row, [...others, { field, column, ...warning }]);
    },
    warningsOf: (row: StoredRow) => warnings.get(row) ?? [],
  };
}

/** Why a row can't be imported, whatever it says. */
function faultOf(row: StoredRow | undefined): Problem | undefined {
  if (row?.isErased)
    return new Problem('payload_erased', 'The person in this row was deleted after the file was sent.');
  return row?.fault && new Problem('invalid_file', row.fault.message);
}

/** The rows without those about people who were erased at this time or later. */
async function withoutErased(
  trx: Db,
  run: ImportRow,
  rows: readonly StoredRow[],
  time: string,
): Promise<readonly StoredRow[]> {
  if (!(await wasErasedSince(trx, time))) return rows;
  return eraseRows(rows, run, (hashes) => erasedAmong(trx, hashes, time));
}

/** Writes the items, then rolls back. */
async function tryItems(
  trx: Db,
  run: ImportRow,
  rows: readonly StoredRow[],
  items: readonly Item[],
  context: Omit<Parameters<typeof writeItems>[2], 'db'>,
): Promise<Tried[]> {
  const seen = await findSeen(trx, run, items);
  const outcomes: Tried[] = [];
  const rest: number[] = [];
  seen.forEach((because, index) => {
    if (because !== undefined && 'earlierRow' in because) outcomes[index] = because;
    else rest.push(index);
  });
  const given = rest.map((index) => seen[index] ?? items[index]) as Item[];
  const written = await trx.transaction((db) => writeItems(run, given, { ...context, db }), { dryRun: true });
  await addSeen(
    trx,
    run,
    rest.map((index) => rows[index]?.row as number),
    written,
  );
  rest.forEach((index, at) => {
    outcomes[index] = written[at] as Tried;
  });
  return outcomes;
}
