import type { Db } from './db/knex.ts';
import { findDrift, rebuildLeadCounts } from './db/lead-count-queries.ts';
import type { Report } from './report.ts';

/** More would not tell more. */
const MOST = 100;

/** What differs between the counters and the table; with `repair` they are counted anew. */
export async function verifyCounters(db: Db, repair: boolean): Promise<Report> {
  return db.transaction(async (trx) => {
    const data = await findDrift(trx, MOST);
    if (!repair || data.length === 0) {
      return {
        title: `Counters that differ from the table (the first ${MOST}):`,
        data,
        failed: data.length > 0,
      };
    }
    await rebuildLeadCounts(trx);
    return { title: `Counters that differed from the table (the first ${MOST}), all rebuilt:`, data };
  });
}
