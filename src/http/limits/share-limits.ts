/**
 * What one client may use at the same time, and all clients together: queries of an environment's database, bytes of this
 * process's memory, and streams. `npm run generate` writes the tables into docs/limits.md.
 */
import type { UseLimit } from './fair-share.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Maximum number of waiting requests per client. More are rejected. */
const MAX_WAITING = 500;

/** By kind of request. `connections` is the size of the database pool. */
export function queryLimits(connections: number) {
  // Two clients can't use up the default pool, and a client's heavy requests leave one connection for its other requests.
  const perClient = Math.ceil(connections / 3);
  const busy = (what: string, count: number): UseLimit => ({
    perClient: count,
    maxWaiting: MAX_WAITING,
    clientIsBusy: `Your client already runs ${count} ${what}, the maximum. Wait for their responses before you send more.`,
  });
  return {
    whole: { perClient },
    kinds: {
      light: busy('requests', perClient),
      heavy: busy('searches, reports, large pages or batches', Math.max(1, perClient - 1)),
      /** Per IP address. */
      anonymous: { ...busy('requests', Math.ceil(perClient / 2)), total: perClient },
      /** Deliveries to an inbound hook, one at a time: senders with many addresses must not take turns from others. */
      hook: {
        perClient: 1,
        maxWaiting: MAX_WAITING,
        clientIsBusy: 'This hook already receives more than it can take. Send the data again shortly.',
      },
    },
  };
}

/** What a request takes, and an answer that is not large, at least. Bytes. */
export const SMALL = 8 * KiB;
/** While a body or an answer is processed, it takes about this many times its size. */
export const EXPANSION = 10;
/** What a large answer takes while it is made. Bytes. */
export const LARGE_ANSWER = EXPANSION * 2 * MiB;

/** Bytes of memory, which the environments of a process share. */
export const byteLimits = {
  /** Requests while they run, and small answers until they are read. */
  small: {
    perClient: 4 * MiB,
    maxWaiting: MAX_WAITING,
    clientIsBusy: 'Your client does not read its responses, or has too many requests at once.',
  },
  /** Bodies that arrive. A slow batch must not delay single writes, which are small. */
  arriving: {
    perClient: 8 * MiB,
    total: 24 * MiB,
    maxWaiting: MAX_WAITING,
    clientIsBusy: 'Your client is already sending other large bodies. Send one after the other.',
    othersAreBusy: 'The service is busy receiving large bodies from other clients. Try again shortly.',
  },
  /** Large bodies and answers that are processed. */
  processed: {
    perClient: EXPANSION * 6 * MiB,
    total: EXPANSION * 12 * MiB,
    maxWaiting: MAX_WAITING,
    clientIsBusy:
      'Your client already runs other large requests. Wait for their responses before you send more.',
    othersAreBusy: 'The service is busy with large requests from other clients. Try again shortly.',
  },
  /** Large answers until they are read. One that finds no room here keeps what it has above. */
  unread: { perClient: 4 * MiB, total: 32 * MiB, clientIsBusy: 'Your client does not read its responses.' },
} satisfies Record<string, UseLimit>;

const single = (what: string) => ({
  perClient: 1,
  maxWaiting: MAX_WAITING,
  maxWait: 3_000,
  clientIsBusy: `Your client is already ${what}. It can do that only once at a time. Try again in 10 seconds.`,
  othersAreBusy: `Too many clients are doing the same at the moment. Try again in 10 seconds.`,
  retryAfter: 10,
});

/** Files that arrive. Each is read in a thread with 96 MiB, so the environments of a process share them. */
export const uploadLimit: UseLimit = { ...single('sending a file'), total: 2 };

/** Requests that last. They hold no place among the queries. */
export const streamLimits = {
  /** Each uses a connection of its own. */
  exports: { ...single('reading an export'), total: 4 },
  /** Requests that wait for events. */
  waits: {
    perClient: 1_000,
    total: 10_000,
    clientIsBusy: 'Your client already has 1000 requests that wait for events, which is the maximum.',
    othersAreBusy: 'Too many requests from other clients are waiting for events. Try again shortly.',
  },
} satisfies Record<string, UseLimit>;
