import type { Db } from '../db/db.ts';
import { findDrift, rebuildLeadCounters } from '../leads/counter-queries.ts';
import type { Report } from './report.ts';

/** Maximum number of counters to list. */
const MAX_DIFFERENCES = 100;

/** Lists the counters that differ from the table. Rebuilds all of them if `repair` is set. */
export async function verifyCounters(db: Db, repair: boolean): Promise<Report> {
  return db.transaction(async (trx) => {
    const data = await findDrift(trx, MAX_DIFFERENCES);
    if (!repair || data.length === 0) {
      return {
        title: `Counters that differ from the table (the first ${MAX_DIFFERENCES}):`,
        data,
        failed: data.length > 0,
      };
    }
    await rebuildLeadCounters(trx);
    return {
      title: `Counters that differed from the table (the first ${MAX_DIFFERENCES}), all rebuilt:`,
      data,
    };
  });
}
