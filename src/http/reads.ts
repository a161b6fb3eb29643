import type { Request } from 'express';
import type { OperationId } from '../../generated/operations.ts';
import { isQueryTimeout, isUnavailable } from '../db/errors.ts';
import type { OperationContext } from './operation.ts';

/** After an event, a client often lists what it is about, and must find it. */
const tellOfChanges: ReadonlySet<OperationId> = new Set<OperationId>(['listEvents']);

/**
 * Runs an operation that may read from the replica (`x-reads`) there, if the replica has all that the client knows of.
 * Otherwise, or if the replica fails, it reads from the primary.
 */
export async function readFromReplica<Result>(
  { context: { replica }, match, principal, headers }: Request,
  primary: OperationContext,
  work: (context: OperationContext) => Promise<Result>,
): Promise<Result> {
  const isWanted = match.operation.reads === 'replica' && !wantsLatest(headers['cache-control']);
  if (!isWanted || !replica?.isCurrentFor(principal.clientId)) return work(primary);
  try {
    const { db, readSnapshot } = replica;
    return await work({ ...primary, db, ...(replica.keepsRows() && { readSnapshot }) });
  } catch (error) {
    // On the primary, a query that is too slow would take as long.
    if (!isUnavailable(error) || isQueryTimeout(error)) throw error;
    return work(primary);
  }
}

/** From now on, this client reads from the replica only what it has just learned too. Call it before the answer is sent. */
export function rememberKnowledge({ context, match, principal }: Request): void {
  const learns = match.operation.method !== 'get' || tellOfChanges.has(match.id);
  if (learns && principal.clientId !== null) context.replica?.catchUpFor(principal.clientId);
}

/** RFC 9111 section 5.2.1.4: the client wants no stored answer. */
function wantsLatest(cacheControl = ''): boolean {
  return /(^|,)\s*no-cache\s*(,|$)/i.test(cacheControl);
}
