import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/db.ts';
import { Deadline } from '../../values/deadline.ts';
import type { FairShare, Held } from './fair-share.ts';

/** Maximum time from a request's arrival to its response. Milliseconds. */
export const REQUEST_TIME = 16_500;
/** Clients to remember. One that is forgotten too early only shares fewer queries. */
const CAPACITY = 1_000;

/**
 * The database as a request uses it: each query or transaction holds a place of its client until it has ended, whether or not
 * the request still waits for it. PostgreSQL ends it at the deadline.
 */
export function limitDb(
  db: Db,
  deadlineOf: () => Deadline,
  take: (deadline: Deadline) => Held | Promise<Held>,
): Db {
  async function hold<Result>(work: (deadline: Deadline) => Promise<Result>): Promise<Result> {
    const deadline = deadlineOf();
    const held = await take(deadline);
    try {
      return await work(deadline);
    } finally {
      held.release();
    }
  }
  return {
    run: (query) => hold((deadline) => db.run(query, deadline)),
    transaction: (work, options) => hold((deadline) => db.transaction(work, { ...options, deadline })),
    send: (query, onRows) => db.send(query, onRows),
    afterCommit: (action) => db.afterCommit(action),
    notify: (channel) => db.notify(channel),
    remember: (mark) => db.remember(mark),
  };
}

/**
 * Returns the database as a client's reads of single rows use it. They get the same Db, so that up to 16 of them share a
 * query: see db/resource.ts.
 */
export function createLookupDbs(queries: Pick<FairShare<'light'>, 'take'>): (db: Db, client: string) => Db {
  const known = new LRUCache<string, { db: Db; limited: Db }>({ max: CAPACITY });
  return (db, client) => {
    const found = known.get(client);
    if (found?.db === db) return found.limited;
    const limited = limitDb(
      db,
      () => new Deadline(REQUEST_TIME),
      // Its memory has admitted the request.
      () => queries.take(client, 'light', { isAdmitted: true }),
    );
    known.set(client, { db, limited });
    return limited;
  };
}
