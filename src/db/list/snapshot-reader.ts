import { MINUTE } from '../../values/time.ts';
import { isUnavailable } from '../errors.ts';
import { readSnapshot, type SnapshotRows, type SnapshotSource } from '../snapshot.ts';
import { allRows, type RowsRequest } from './all-rows.ts';
import type { ListSource } from './page.ts';

/** Maximum time to read a snapshot. While one is held, VACUUM can't clean up any table. Milliseconds. */
const MAX_DURATION = 30 * MINUTE;

/** Returns a function that reads from the first reachable database. */
export function snapshotReader(database: SnapshotSource, ...others: readonly SnapshotSource[]) {
  return <Row>(source: ListSource, request: RowsRequest, signal: AbortSignal) => {
    const query = allRows<Row>(source, request);
    const ended = AbortSignal.any([signal, AbortSignal.timeout(MAX_DURATION)]);
    return readFirst((from) => readSnapshot(from, query, ended), database, others);
  };
}

/** Tries the next database only before the first row: a snapshot can't be continued in another database. */
async function* readFirst<Row>(
  read: (database: SnapshotSource) => AsyncGenerator<SnapshotRows<Row>>,
  database: SnapshotSource,
  [next, ...others]: readonly SnapshotSource[],
): AsyncGenerator<SnapshotRows<Row>> {
  let hasBegun = false;
  try {
    for await (const batch of read(database)) {
      hasBegun = true;
      yield batch;
    }
    return;
  } catch (error) {
    if (isUnavailable(error)) database.onFailure?.(error);
    if (hasBegun || next === undefined || !isUnavailable(error)) throw error;
  }
  yield* readFirst(read, next, others);
}
