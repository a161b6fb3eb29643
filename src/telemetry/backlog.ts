import type { Db } from '../db/db.ts';
import { Deadline } from '../values/deadline.ts';
import { type Backlog, readBacklog } from './queries.ts';

/** How long a reading is reused. Milliseconds. */
const MAX_AGE = 5_000;
/** How long a scrape waits for the database. Milliseconds. */
const TIMEOUT = 1_000;

/**
 * Returns a function that reads an environment's backlog, at most once in five seconds and never twice at the same time.
 * Undefined if the database does not answer within a second.
 */
export function createBacklogReader(db: Db): () => Promise<Backlog | undefined> {
  let known: { backlog: Backlog; at: number } | undefined;
  let reading: Promise<Backlog> | undefined;

  async function read(): Promise<Backlog> {
    try {
      const backlog = await readBacklog(db);
      known = { backlog, at: performance.now() };
      return backlog;
    } finally {
      reading = undefined;
    }
  }

  return async () => {
    if (known !== undefined && performance.now() - known.at < MAX_AGE) return known.backlog;
    reading ??= read();
    return new Deadline(TIMEOUT).race(reading).catch(() => undefined);
  };
}
