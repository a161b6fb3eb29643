import { allRows, type RowsRequest } from '../../db/list/all-rows.ts';
import type { ListSource } from '../../db/list/page.ts';
import { readSnapshot } from '../../db/snapshot.ts';
import { MINUTE } from '../../time.ts';
import { Problem } from '../errors/problem.ts';

/** Maximum snapshots read at once, of one environment in one process: each holds a connection. */
const MAX_CONCURRENT = 4;
/** Milliseconds after which a snapshot is given up: as long as it is held, PostgreSQL can't clean up any table. */
const MAX_DURATION = 30 * MINUTE;
/** Seconds after which another attempt makes sense. */
const RETRY_AFTER = 10;

export type ReadSnapshot = ReturnType<typeof createSnapshots>;

/** Returns a function that reads all matching rows of a list from one snapshot. It does so a few times at once, and throws 503 beyond. */
export function createSnapshots(databaseUrl: string) {
  let running = 0;
  return async function* read<Row>(
    source: ListSource,
    request: RowsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Row[]> {
    if (running >= MAX_CONCURRENT) throw overloaded();
    running += 1;
    try {
      const query = allRows<Row>(source, request);
      yield* readSnapshot(databaseUrl, query, AbortSignal.any([signal, AbortSignal.timeout(MAX_DURATION)]));
    } finally {
      running -= 1;
    }
  };
}

function overloaded(): Problem {
  return new Problem(
    'unavailable',
    `${MAX_CONCURRENT} exports are running, and more can't run at a time. Try again in ${RETRY_AFTER} seconds.`,
    { headers: { 'Retry-After': String(RETRY_AFTER) } },
  );
}
