import type { Logger } from 'pino';
import { anonymous } from '../auth/principal.ts';
import type { Db } from '../db/db.ts';
import { isUnavailable } from '../db/errors.ts';
import { toId } from '../db/id.ts';
import { updateRow } from '../db/resource.ts';
import { NOW, type Values } from '../db/row-statements.ts';
import { Problem } from '../http/errors/problem.ts';
import type { Outcome } from '../resource/write-many.ts';
import { failAlone } from './fail-alone.ts';
import { failureReasons } from './import.ts';
import { createMapRow } from './map-row.ts';
import { deleteChunk, deleteChunks, findChunk, imports, insertErrors, lockNext } from './queries.ts';
import { errorsOfRow, MAX_ERRORS } from './row-errors.ts';
import { addSeen, findSeen } from './seen-keys.ts';
import { updateStatistics } from './statistics.ts';
import type { ImportRow } from './tables.ts';
import { type Checks, checkBodies, type Item, type WrittenRow, writeItems } from './write-rows.ts';

/** How often rows may fail together, for a reason that is not theirs, before the import is given up. */
const MAX_ATTEMPTS = 5;

/**
 * Imports the next rows of the oldest import, or of the one with this id (UUID): in one transaction with how far it came,
 * so that whatever happens, no row is lost or doubled. Returns the import; undefined if there is none, or another process
 * is at it.
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
      const text = await findChunk(trx, run.id, run.next_chunk);
      if (text === undefined) await deleteChunks(trx, run.id);
      const progress =
        text === undefined
          ? failed(failureReasons.lostRows)
          : await importChunk({ db: trx, logger }, run, parseRows(text), await checks());
      return updateRow(trx, imports, run.id, {
        ...(run.started_at === null && { started_at: NOW }),
        ...progress,
      });
    });
  } catch (error) {
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

const finished: Values<ImportRow> = { status: 'completed', finished_at: NOW };

function failed(reason: string): Values<ImportRow> {
  return { status: 'failed', finished_at: NOW, failure_reason: reason };
}

/** What imports rows, as a request or by itself. */
interface Worker {
  db: Db;
  logger: Logger;
}

/** `row` is as a spreadsheet numbers it. */
interface NumberedRow {
  row: number;
  cells: readonly unknown[];
}

function parseRows(text: string): NumberedRow[] {
  const rows = JSON.parse(text) as [number, ...unknown[]][];
  return rows.map(([row, ...cells]) => ({ row, cells }));
}

/** Returns the import's columns to update. */
async function importChunk(
  { db: trx, logger }: Worker,
  run: ImportRow,
  rows: readonly NumberedRow[],
  checks: Checks,
): Promise<Values<ImportRow>> {
  const mapRow = createMapRow(run);
  const context = {
    actor: { type: run.actor_type, id: run.actor_id },
    requestId: run.request_id,
    principal: anonymous,
    // A file may have any number of rows about the same lead: nobody waits for the answer.
    maxRounds: Number.POSITIVE_INFINITY,
    ...checks,
  };
  const unexpected: { row: number; err: unknown }[] = [];
  const outcomes = await failAlone<NumberedRow, Tried>(
    rows,
    async (some) => {
      const items = await checkBodies(run, some.map(mapRow), checks);
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
  // The rows are not needed any more, and hold personal data.
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

/** Outcomes of a dry run, whose rows may not exist. */
type Tried = Outcome<WrittenRow> | { status: 'updated' | 'unchanged' };

/** Writes the items and takes them back. */
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
