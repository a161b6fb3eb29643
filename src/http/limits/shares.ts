import { createFairShare } from './fair-share.ts';
import { createLookupDbs } from './lookup-db.ts';

const MiB = 1024 * 1024;

/** Maximum number of waiting requests per client. More are rejected. */
const MAX_WAITING = 500;
/** Maximum number of running reads of a single row per client. */
const MAX_LOOKUPS = 100;

export type Shares = ReturnType<typeof createShares>;

/** The memory that clients of all environments share in one process. */
export function createMemoryShares() {
  const arriving = {
    maxWaiting: MAX_WAITING,
    clientIsBusy: 'Your client is already sending other large bodies. Send one after the other.',
    othersAreBusy: 'The service is busy receiving large bodies from other clients. Try again shortly.',
  };
  return {
    /** Bytes of large bodies and responses that are being processed. */
    memory: createFairShare({
      perClient: 8 * MiB,
      total: 12 * MiB,
      maxWaiting: MAX_WAITING,
      clientIsBusy:
        'Your client already runs other large requests. Wait for their responses before you send more.',
      othersAreBusy: 'The service is busy with large requests from other clients. Try again shortly.',
    }),
    /** Bytes of arriving bodies. Small ones have a separate share, because a slow batch must not delay single writes. */
    arrivingSmall: createFairShare({ ...arriving, perClient: MiB, total: 8 * MiB }),
    arriving: createFairShare({ ...arriving, perClient: 8 * MiB, total: 16 * MiB }),
    /** Bytes of responses that clients have not read yet. A response that gets no share keeps its turn. */
    unread: createFairShare({
      perClient: 4 * MiB,
      total: 32 * MiB,
      clientIsBusy: 'Your client does not read its responses.',
    }),
  };
}

/** What the clients of one environment share in one process. `connections` is the size of its database pool. */
export function createShares(connections: number, memory = createMemoryShares()) {
  // Two clients can't use up the default pool, and a client's heavy requests leave one connection for its other requests.
  const running = Math.ceil(connections / 3);
  const heavy = Math.max(1, running - 1);
  const busy = (what: string, count: number) => ({
    perClient: count,
    maxWaiting: MAX_WAITING,
    clientIsBusy: `Your client already runs ${count} ${what}, the maximum. Wait for their responses before you send more.`,
  });
  const single = (what: string) => ({
    perClient: 1,
    maxWaiting: MAX_WAITING,
    maxWait: 3_000,
    clientIsBusy: `Your client is already ${what}. It can do that only once at a time. Try again in 10 seconds.`,
    othersAreBusy: `Too many clients are doing the same at the moment. Try again in 10 seconds.`,
    retryAfter: 10,
  });
  /** Running requests, and queries of lookups. Each holds at most one connection. */
  const requests = createFairShare(busy('requests', running));
  return {
    ...memory,
    running: requests,
    /** Reads of a single row. Only their queries count as running, since up to 16 reads share one: see lookup-db.ts. */
    lookups: createFairShare(busy('reads', MAX_LOOKUPS)),
    lookupDb: createLookupDbs(requests),
    /** Deliveries to an inbound hook, one at a time: senders with many addresses must not take turns from others. */
    hooks: createFairShare({
      perClient: 1,
      maxWaiting: MAX_WAITING,
      clientIsBusy: 'This hook already receives more than it can take. Send the data again shortly.',
    }),
    /** Running requests without credentials, per IP address. */
    anonymous: createFairShare({ ...busy('requests', Math.ceil(running / 2)), total: running }),
    /** Requests that may take long or much memory. */
    heavy: createFairShare(busy('searches, reports, large pages or batches', heavy)),
    /** Requests that wait for events. They hold no other share. */
    waits: createFairShare({
      perClient: 1_000,
      total: 10_000,
      clientIsBusy: 'Your client already has 1000 requests that wait for events, which is the maximum.',
      othersAreBusy: 'Too many requests from other clients are waiting for events. Try again shortly.',
    }),
    exports: createFairShare({ ...single('reading an export'), total: 4 }),
    uploads: createFairShare({ ...single('sending a file'), total: 4 }),
  };
}
