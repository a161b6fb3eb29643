import type { Db } from '../db/db.ts';
import { eraseFromBulkJobs } from '../jobs/erasure-queries.ts';
import { patternsOf } from './address.ts';
import { eraseFromJobs } from './mention-queries.ts';
import { hashOfEmail } from './person-hash.ts';
import { type Erased, eraseFromImports, eraseInbound, eraseMentions } from './queries.ts';

/**
 * Erases an address from inbound deliveries, import rows, and settings of imports and bulk jobs, also if no lead or contact has it, and from the history of these
 * leads and contacts (UUIDs), which had it before.
 */
export async function eraseAddress(db: Db, email: string, ids: string[]): Promise<Erased> {
  eraseFromImports(db, [{ email, hash: hashOfEmail(email) }], []);
  const patterns = patternsOf([email]);
  await eraseFromBulkJobs(db, [email]);
  await eraseFromJobs(db, patterns.whole);
  const mentions = await eraseMentions(db, ids, patterns);
  return { ...mentions, inbound_deliveries: await eraseInbound(db, { leadIds: [], emails: [email] }) };
}
