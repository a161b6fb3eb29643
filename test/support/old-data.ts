import type { Db } from '../../src/db/db.ts';
import { oldData } from '../../src/process/old-data.ts';

/** Deletes what is old now, up to `limit` rows. Returns the number deleted. */
export function deleteOld(db: Db, kind: string, limit = 1_000): Promise<number> {
  const found = oldData.find((data) => data.kind === kind);
  if (found === undefined) throw new Error(`Nothing of the kind ${kind} is deleted by age.`);
  return found.deleteOld(db, new Date(), limit);
}
