import type { Logger } from 'pino';
import type { Actor } from '../../actor.ts';
import type { Db } from '../../db/db.ts';
import { ConflictError } from '../../db/errors.ts';
import { failAlone } from '../../jobs/fail-alone.ts';
import type { Done } from '../../jobs/run-step.ts';
import type { Declared } from '../../metadata/declared.ts';
import { findDeclared } from '../../metadata/queries.ts';
import { anonymous } from '../../principal.ts';
import { Problem } from '../../problem.ts';
import { parseRows, type StoredRow } from '../../table-files/stored-row.ts';
import { toId } from '../../values/id.ts';
import { mapInSlices } from '../../values/slices.ts';
import { eraseRows } from '../erasure/erased-rows.ts';
import { erasedAmong, lockErasures, wasErasedSince } from '../erasure/erasure-queries.ts';
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

/**
 * Imports a chunk's rows and keeps their results. Rejects with ConflictError if somebody was erased from the chunk meanwhile:
 * it is imported again, without them.
 */
export async function importChunk(
  { db: trx, logger, actor }: { db: Db; logger: Logger; actor: Actor },
  run: ImportRow,
  chunk: { rows: string; created_at: string },
  checks: Checks,
): Promise<Done<ImportRow>> {
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
  const mapRows = createMapRows(run, await findDeclared(trx, run.options.resource));
  const outcomes = await failAlone<StoredRow, Tried>(
    rows,
    (some) =>
      // A savepoint: nothing remains of rows that fail together.
      trx.transaction(async (db) => {
        const owned = await assignOwners(await mapRows.bodies(some), run, { ...context, db });
        for (const [index, warning] of owned.warnings) mapRows.warn(some[index], warning);
        const checked = await checkBodies(run.options, owned.bodies, checks);
        const items = checked.map((item, index) => faultOf(some[index]) ?? item);
        const writer = { ...context, assignable: owned.assignable };
        const written = run.dry_run
          ? await tryItems(db, run, some, items, writer)
          : await writeItems(run.options, items, { ...writer, db });
        for (const [index, warning] of pastOfExisting(run.options, items, written))
          mapRows.warn(some[index], warning);
        if (!run.dry_run) await addNotes(run.options, written, some.map(mapRows.noteOf), { ...context, db });
        return written;
      }),
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
  if (after.some(({ isErased }, index) => isErased !== rows[index]?.isErased)) throw new ConflictError();
  // Only the first one: a file can have a million of them.
  const [first] = unexpected;
  if (first !== undefined) {
    const line = { import: toId('import', run.id), ...first, rows: unexpected.length };
    logger.error(line, 'Rows of an import failed unexpectedly.');
  }
  // Several deals of one person are no repetition.
  const hasDeals = Object.values(run.options.mapping).includes('deal_id');
  const repeated = hasDeals ? [] : await findRepeated(trx, run, rows, outcomes);
  for (const [row, earlier] of repeated) {
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
function createMapRows(run: ImportRow, declared: Declared) {
  const { mapping } = run.options;
  const mapRow = createMapRow(run.options, declared);
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
      const column = Object.keys(mapping).find((name) => mapping[name] === field) ?? null;
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
  return eraseRows(rows, run.options, (hashes) => erasedAmong(trx, hashes, time));
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
  const written = await trx.transaction((db) => writeItems(run.options, given, { ...context, db }), {
    dryRun: true,
  });
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
