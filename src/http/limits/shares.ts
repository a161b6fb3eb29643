import { createFairShare } from './fair-share.ts';

const MiB = 1024 * 1024;

/** Maximum requests of one client that wait. More are rejected. */
const MAX_WAITING = 500;
/** Reads of one row that run for one client. */
const MAX_LOOKUPS = 100;

export type Shares = ReturnType<typeof createShares>;

/** The memory that the clients of all environments share. */
export function createMemoryShares() {
  const arriving = {
    maxWaiting: MAX_WAITING,
    clientIsBusy: 'Your client is already sending other large bodies. Send one after the other.',
    othersAreBusy: 'The service is busy receiving large bodies of other clients. Try again shortly.',
  };
  return {
    /** Bytes of the large bodies and answers that are in work. */
    memory: createFairShare({
      perClient: 8 * MiB,
      total: 12 * MiB,
      maxWaiting: MAX_WAITING,
      clientIsBusy:
        'Your client already runs other large requests. Wait for their answers before you send more.',
      othersAreBusy: 'The service is busy with large requests of other clients. Try again shortly.',
    }),
    /** Bytes of bodies that arrive. Small ones have a share of their own: a slow batch must not hold up single writes. */
    arrivingSmall: createFairShare({ ...arriving, perClient: MiB, total: 8 * MiB }),
    arriving: createFairShare({ ...arriving, perClient: 8 * MiB, total: 16 * MiB }),
    /** Bytes of responses that their clients have not read yet. A response that gets no part of it keeps its turn. */
    unread: createFairShare({
      perClient: 4 * MiB,
      total: 32 * MiB,
      clientIsBusy: 'Your client does not read its responses.',
    }),
  };
}

/** What the clients of one environment share, in one process with so many connections to its database. */
export function createShares(connections: number, memory = createMemoryShares()) {
  // Three clients can't take all connections, and a client's heavy requests leave one to its others.
  const running = Math.ceil(connections / 3);
  const heavy = Math.max(1, running - 1);
  const busy = (what: string, count: number) => ({
    perClient: count,
    maxWaiting: MAX_WAITING,
    clientIsBusy: `Your client already runs ${count} ${what}, which is the maximum. Wait for their answers before you send more.`,
  });
  const single = (what: string) => ({
    perClient: 1,
    maxWaiting: MAX_WAITING,
    maxWait: 3_000,
    clientIsBusy: `Your client already ${what}, and can't do so twice at the same time. Try again in 10 seconds.`,
    othersAreBusy: `Too many clients are doing the same at the moment. Try again in 10 seconds.`,
    retryAfter: 10,
  });
  return {
    ...memory,
    /** Requests that run. Each holds at most one connection. */
    running: createFairShare(busy('requests', running)),
    /** Reads of one row, of which up to 16 share a query and a connection. Waiting for it singly takes half as much CPU again. */
    lookups: createFairShare(busy('reads', MAX_LOOKUPS)),
    /** The same for requests without credentials, which count by address. */
    anonymous: createFairShare({ ...busy('requests', Math.ceil(running / 2)), total: running }),
    /** Requests that may take long or much memory. */
    heavy: createFairShare(busy('searches, reports, large pages or batches', heavy)),
    /** Requests that wait for events. They hold nothing else. */
    waits: createFairShare({
      perClient: 1_000,
      total: 10_000,
      clientIsBusy: 'Your client already has 1000 requests that wait for events, which is the maximum.',
      othersAreBusy: 'Too many requests of other clients wait for events. Try again shortly.',
    }),
    exports: createFairShare({ ...single('reads an export'), total: 4 }),
    uploads: createFairShare({ ...single('sends a file'), total: 4 }),
  };
}
