import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/db.ts';
import type { FairShare } from './fair-share.ts';

/** Clients to remember. One that is forgotten too early only shares fewer queries. */
const CAPACITY = 1_000;

/**
 * Returns the database as a client's reads of single rows use it: each query takes part of the client's share until it has
 * ended, however many requests share it, and whether or not they still wait for it. A client's reads get the same Db, so
 * that they share queries (db/resource.ts).
 */
export function createLookupDbs(running: FairShare): (db: Db, client: string) => Db {
  const known = new LRUCache<string, { db: Db; limited: Db }>({ max: CAPACITY });

  function limit(db: Db, client: string): Db {
    const hold = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      // The request has been admitted to the share of lookups.
      const release = await running.take(client, { isAdmitted: true });
      try {
        return await work();
      } finally {
        release();
      }
    };
    return {
      run: (query) => hold(() => db.run(query)),
      transaction: (work, options) => hold(() => db.transaction(work, options)),
      send: (query, onRows) => db.send(query, onRows),
      afterCommit: (action) => db.afterCommit(action),
      notify: (channel) => db.notify(channel),
      remember: (mark) => db.remember(mark),
    };
  }

  return (db, client) => {
    const found = known.get(client);
    if (found?.db === db) return found.limited;
    const limited = limit(db, client);
    known.set(client, { db, limited });
    return limited;
  };
}
