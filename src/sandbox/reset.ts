import type { Db } from '../db/db.ts';
import { type Counts, countRows, lockTables, truncate } from './queries.ts';

/** Deletes all users, contacts, content and leads. Returns the number of each. Must run in a transaction. */
export async function reset(trx: Db): Promise<Counts> {
  await lockTables(trx);
  const counts = await countRows(trx);
  await truncate(trx);
  return counts;
}
