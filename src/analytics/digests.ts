import type { Db } from '../db/knex.ts';
import {
  claimDigests,
  digestDay,
  digestMonth,
  findUndigestedDays,
  findUndigestedMonths,
} from './digest-queries.ts';

/** Looked for at once. */
const BATCH = 50;

/**
 * Makes the digests that are missing or no longer hold, of days and then of months, the newest first, until none is left,
 * another process makes them, or `onDigest` says after one of them, of which it hears how many milliseconds it took, not
 * to go on.
 */
export async function makeDigests(
  db: Db,
  onDigest: (took: number) => Promise<boolean> = async () => true,
): Promise<void> {
  const steps = [
    { find: findUndigestedDays, digest: digestDay },
    { find: findUndigestedMonths, digest: digestMonth },
  ];
  for (const { find, digest } of steps) {
    let found: string[];
    do {
      found = await find(db, BATCH);
      for (const begins of found) {
        const began = performance.now();
        if (!(await claimAnd(db, (trx) => digest(trx, begins)))) return;
        if (!(await onDigest(performance.now() - began))) return;
      }
    } while (found.length === BATCH);
  }
}

/** False when another process makes digests now. */
function claimAnd(db: Db, digest: (trx: Db) => Promise<void>): Promise<boolean> {
  return db.transaction(
    async (trx) => {
      const isOurs = await claimDigests(trx);
      if (isOurs) await digest(trx);
      return isOurs;
    },
    { isolationLevel: 'repeatable read' },
  );
}
