import { createFairShare } from './fair-share.ts';
import { createLookupDbs } from './limited-db.ts';
import { byteLimits, queryLimits, streamLimits, uploadLimit } from './share-limits.ts';

export type Shares = ReturnType<typeof createShares>;

/** What clients of all environments share in one process. */
export function createProcessShares() {
  return { bytes: createFairShare(byteLimits), uploads: createFairShare({ upload: uploadLimit }) };
}

/** What the clients of one environment share in one process. `connections` is the size of its database pool. */
export function createShares(connections: number, shared = createProcessShares()) {
  const { kinds, whole } = queryLimits(connections);
  const queries = createFairShare(kinds, whole);
  return { ...shared, queries, lookupDb: createLookupDbs(queries), streams: createFairShare(streamLimits) };
}
