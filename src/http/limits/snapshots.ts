import type { ReadSnapshot } from '../../context.ts';
import { isUnavailable } from '../../db/errors.ts';
import { allRows, type RowsRequest } from '../../db/list/all-rows.ts';
import type { ListSource } from '../../db/list/page.ts';
import { readSnapshot, type SnapshotSource } from '../../db/snapshot.ts';
import { Problem } from '../../problem.ts';
import { MINUTE } from '../../values/time.ts';

/** Maximum snapshots read at once, of one environment in one process: each holds a connection. */
const MAX_CONCURRENT = 4;
/** Milliseconds after which a snapshot is given up: as long as it is held, PostgreSQL can't clean up any table. */
const MAX_DURATION = 30 * MINUTE;
/** Seconds after which another attempt makes sense. */
const RETRY_AFTER = 10;

/** Returns functions that read from the first of the given databases that can be read. All share one limit. */
export function createSnapshots(): (...databases: [SnapshotSource, ...SnapshotSource[]]) => ReadSnapshot {
  let running = 0;
  return (database, ...others) =>
    async function* read<Row>(source: ListSource, request: RowsRequest, signal: AbortSignal) {
      if (running >= MAX_CONCURRENT) throw overloaded();
      running += 1;
      try {
        const query = allRows<Row>(source, request);
        const ended = AbortSignal.any([signal, AbortSignal.timeout(MAX_DURATION)]);
        yield* readFirst((from) => readSnapshot(from, query, ended), database, others);
      } finally {
        running -= 1;
      }
    };
}

/** A snapshot can't be continued in another database. So only one that has not begun is read there. */
async function* readFirst<Row>(
  read: (database: SnapshotSource) => AsyncGenerator<Row[]>,
  database: SnapshotSource,
  [next, ...others]: readonly SnapshotSource[],
): AsyncGenerator<Row[]> {
  let hasBegun = false;
  try {
    for await (const rows of read(database)) {
      hasBegun = true;
      yield rows;
    }
    return;
  } catch (error) {
    if (isUnavailable(error)) database.onFailure?.(error);
    if (hasBegun || next === undefined || !isUnavailable(error)) throw error;
  }
  yield* readFirst(read, next, others);
}

function overloaded(): Problem {
  return new Problem(
    'unavailable',
    `${MAX_CONCURRENT} exports are running, and more can't run at a time. Try again in ${RETRY_AFTER} seconds.`,
    { headers: { 'Retry-After': String(RETRY_AFTER) } },
  );
}
