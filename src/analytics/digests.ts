import type { Db } from '../db/knex.ts';
import { claimDigests, digestDay, findUndigestedDays } from './digest-queries.ts';

/** Looked for at once. */
const BATCH = 50;

/**
 * Makes the digests that are missing or no longer hold, the newest days first, until none is left, another process makes
 * them, or `onDay` says after one of them, of which it hears how many milliseconds it took, not to go on.
 */
export async function digestDays(
  db: Db,
  onDay: (took: number) => Promise<boolean> = async () => true,
): Promise<void> {
  let days: string[];
  do {
    days = await findUndigestedDays(db, BATCH);
    for (const day of days) {
      const begin = performance.now();
      if (!(await claimAndDigest(db, day))) return;
      if (!(await onDay(performance.now() - begin))) return;
    }
  } while (days.length === BATCH);
}

function claimAndDigest(db: Db, day: string): Promise<boolean> {
  return db.transaction(
    async (trx) => {
      const isOurs = await claimDigests(trx);
      if (isOurs) await digestDay(trx, day);
      return isOurs;
    },
    { isolationLevel: 'repeatable read' },
  );
}
