import type { Request } from 'express';
import { isQueryTimeout, isUnavailable } from '../db/errors.ts';
import type { OperationContext } from '../operation.ts';

/**
 * Runs an operation that may read from a replica (`x-reads`) there, unless the client wants the latest. If the replica lacks
 * more than the last second, or fails, the primary is read. Never for what a client may have written itself a moment ago.
 */
export async function readFromReplica<Result>(
  { context: { replica }, match, headers }: Request,
  primary: OperationContext,
  work: (context: OperationContext) => Promise<Result>,
): Promise<Result> {
  const isWanted = match.operation.reads === 'replica' && !wantsLatest(headers['cache-control']);
  if (!isWanted || !replica?.isWorking()) return work(primary);
  try {
    const { db, readSnapshot } = replica;
    return await work({ ...primary, db, readSnapshot });
  } catch (error) {
    // On the primary, a query that is too slow would take as long.
    if (!isUnavailable(error) || isQueryTimeout(error)) throw error;
    replica.failed(error);
    return work(primary);
  }
}

/** RFC 9111 section 5.2.1.4: the client wants no stored answer. */
function wantsLatest(cacheControl = ''): boolean {
  return /(^|,)\s*no-cache\s*(,|$)/i.test(cacheControl);
}
