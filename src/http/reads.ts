import type { Request } from 'express';
import { isQueryTimeout, isUnavailable } from '../db/errors.ts';
import type { OperationContext } from '../operation.ts';
import { dbOf } from './limits/weight.ts';

/**
 * Runs an operation with `x-reads: replica` on the replica. Uses the primary if the client wants the latest data, or if the
 * replica fails or lags more than a second. No operation that shows a client's own latest writes has `x-reads: replica`.
 */
export async function readFromReplica<Result>(
  req: Request,
  primary: OperationContext,
  work: (context: OperationContext) => Promise<Result>,
): Promise<Result> {
  const { context, match, headers, input } = req;
  const { replica } = context;
  // Only the primary knows up to which moment all changes are committed.
  const isInOrder = Object.hasOwn(input.query as object, 'updated_from');
  const isWanted =
    match.operation.reads === 'replica' && !isInOrder && !wantsLatest(headers['cache-control']);
  if (!isWanted || !replica?.isWorking()) return work(primary);
  try {
    const { db, readSnapshot } = replica;
    return await work({ ...primary, db: dbOf(req, db), readSnapshot });
  } catch (error) {
    // A slow query would take as long on the primary.
    if (!isUnavailable(error) || isQueryTimeout(error)) throw error;
    replica.failed(error);
    return work(primary);
  }
}

/** RFC 9111 section 5.2.1.4: the client asks for a response that isn't stored. */
function wantsLatest(cacheControl = ''): boolean {
  return /(^|,)\s*no-cache\s*(,|$)/i.test(cacheControl);
}
