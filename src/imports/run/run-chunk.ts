import type { Logger } from 'pino';
import type { Db } from '../../db/db.ts';
import { isUnavailable } from '../../db/errors.ts';
import { updateRow } from '../../db/resource.ts';
import { NOW, type RowValues } from '../../db/row-statements.ts';
import { anonymous } from '../../principal.ts';
import { Problem } from '../../problem.ts';
import type { Outcome } from '../../resource/write-many.ts';
import { toId } from '../../values/id.ts';
import { eraseRows, parseRows, type StoredRow } from '../erasure/erased-rows.ts';
import { erasedAmong, wasErasedSince } from '../erasure/erasure-queries.ts';
import { failureReasons } from '../import.ts';
import { createMapRow } from '../mapping/map-row.ts';
import { deleteChunk, deleteChunks, imports, insertErrors, lockChunk, lockNext } from '../queries.ts';
import type { ImportRow } from '../tables.ts';
import { failAlone } from './fail-alone.ts';
import { errorsOfRow, MAX_ERRORS } from './row-errors.ts';
import { addSeen, findSeen } from './seen-keys.ts';
import { updateStatistics } from './statistics.ts';
import { type Checks, checkBodies, type Item, type WrittenRow, writeItems } from './write-rows.ts';

/** How often a chunk may fail for a reason other than its rows before the import fails. */
const MAX_ATTEMPTS = 5;

/**
 * Imports the next chunk of the oldest import, or of the one with this id (UUID). One transaction holds the rows and the
 * import's progress, so that no row is lost or duplicated. Returns the import; undefined if there is none, or another
 * process is running it.
 */
export async function runChunk(
  { db, logger }: Worker,
  checks: () => Promise<Checks>,
  wanted?: string,
): Promise<ImportRow | undefined> {
  let before: ImportRow | undefined;
  let after: ImportRow | undefined;
  try {
    after = await db.transaction(async (trx) => {
      const run = await lockNext(trx, wanted);
      if (run === undefined) return undefined;
      before = run;
      const chunk = await lockChunk(trx, run.id, run.next_chunk);
      if (chunk === undefined) await deleteChunks(trx, run.id);
      const progress =
        chunk === undefined
          ? failed(failureReasons.lostRows)
          : await importChunk({ db: trx, logger }, run, chunk, await checks());
      return updateRow(trx, imports, run.id, {
        ...(run.started_at === null && { started_at: NOW }),
        ...progress,
      });
    });
  } catch (error) {
    if (error instanceof ErasedMeanwhile) return runChunk({ db, logger }, checks, error.importId);
    if (before !== undefined && !isUnavailable(error)) await countFailure(db, before.id);
    throw error;
  }
  if (before !== undefined && after !== undefined) await updateStatistics(db, before, after);
  return after;
}

function countFailure(db: Db, id: string): Promise<void> {
  return db.transaction(async (trx) => {
    const run = await lockNext(trx, id);
    if (run === undefined) return;
    const attempts = run.attempts + 1;
    const isHopeless = attempts >= MAX_ATTEMPTS;
    await updateRow(trx, imports, id, {
      attempts,
      ...(isHopeless && failed(failureReasons.hopeless)),
    });
    if (isHopeless) await deleteChunks(trx, id);
  });
}

const finished: RowValues<ImportRow> = { status: 'completed', finished_at: NOW };

function failed(reason: string): RowValues<ImportRow> {
  return { status: 'failed', finished_at: NOW, failure_reason: reason };
}

/** What importing rows needs. */
interface Worker {
  db: Db;
  logger: Logger;
}

/** Somebody was erased from a chunk while it was imported. The chunk is imported again, without them. */
class ErasedMeanwhile extends Error {
  readonly importId: string;

  constructor(importId: string) {
    super('A person was erased while their row was imported.');
    this.importId = importId;
  }
}

const erased = () =>
  new Problem('payload_erased', 'The person in this row was deleted after the file was sent.');

/** Returns the import's columns to update. */
async function importChunk(
  { db: trx, logger }: Worker,
  run: ImportRow,
  chunk: { rows: string; created_at: string },
  checks: Checks,
): Promise<RowValues<ImportRow>> {
  const mapRow = createMapRow(run);
  const stored = parseRows(chunk.rows);
  const rows = await withoutErased(trx, run, stored, chunk.created_at);
  const context = {
    actor: { type: run.actor_type, id: run.actor_id },
    requestId: run.request_id,
    principal: anonymous,
    // A file may have any number of rows about the same lead, since nobody waits for the response.
    maxRounds: Number.POSITIVE_INFINITY,
    ...checks,
  };
  const unexpected: { row: number; err: unknown }[] = [];
  const outcomes = await failAlone<StoredRow, Tried>(
    rows,
    async (some) => {
      const checked = await checkBodies(run, some.map(mapRow), checks);
      const items = checked.map((item, index) => (some[index]?.isErased ? erased() : item));
      return run.dry_run
        ? tryItems(trx, run, items, context)
        : writeItems(run, items, { ...context, db: trx });
    },
    ({ row }, err) => {
      unexpected.push({ row, err });
      return {
        status: 'failed',
        error: new Problem('internal_error', 'The service could not import this row.'),
      };
    },
  );
  const after = await withoutErased(trx, run, rows, chunk.created_at);
  if (after.some(({ isErased }, index) => isErased !== rows[index]?.isErased))
    throw new ErasedMeanwhile(run.id);
  // Only the first one: a file can have a million of them.
  const [first] = unexpected;
  if (first !== undefined) {
    const line = { import: toId('import', run.id), ...first, rows: unexpected.length };
    logger.error(line, 'Rows of an import failed unexpectedly.');
  }
  const errors = outcomes.flatMap((outcome, index) =>
    outcome.status === 'failed' ? errorsOfRow(run, rows[index]?.row ?? 0, outcome.error) : [],
  );
  const kept = errors.slice(0, MAX_ERRORS - run.errors_kept);
  await insertErrors(trx, run.id, kept);
  // The rows are no longer needed, and contain personal data.
  if (!run.dry_run) await deleteChunk(trx, run.id, run.next_chunk);
  const count = (status: string) => outcomes.filter((outcome) => outcome.status === status).length;
  const done = run.rows_done + rows.length;
  return {
    status: 'running',
    ...(done >= run.rows_total && finished),
    rows_done: done,
    created: run.created + count('created'),
    updated: run.updated + count('updated'),
    unchanged: run.unchanged + count('unchanged'),
    failed: run.failed + count('failed'),
    errors_kept: run.errors_kept + kept.length,
    next_chunk: run.next_chunk + 1,
    attempts: 0,
  };
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

/** Outcomes of a dry run, whose rows may not exist. */
type Tried = Outcome<WrittenRow> | { status: 'updated' | 'unchanged' };

/** Writes the items, then rolls back. */
async function tryItems(
  trx: Db,
  run: ImportRow,
  items: readonly Item[],
  context: Omit<Parameters<typeof writeItems>[2], 'db'>,
): Promise<Tried[]> {
  const seen = await findSeen(trx, run, items);
  const outcomes: Tried[] = [];
  const rest: number[] = [];
  seen.forEach((because, index) => {
    if (typeof because === 'string') outcomes[index] = { status: because };
    else rest.push(index);
  });
  const given = rest.map((index) => seen[index] ?? items[index]) as Item[];
  const written = await trx.transaction((db) => writeItems(run, given, { ...context, db }), { dryRun: true });
  await addSeen(trx, run, written);
  rest.forEach((index, at) => {
    outcomes[index] = written[at] as Tried;
  });
  return outcomes;
}
