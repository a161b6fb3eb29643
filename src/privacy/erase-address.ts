import type { Db } from '../db/db.ts';
import { patternsOf } from './address.ts';
import { eraseFromBulkJobs } from './bulk-job-queries.ts';
import { type Erased, eraseInbound, eraseMentions } from './erase-queries.ts';
import { eraseFromSettings, eraseKeys } from './mention-queries.ts';

/**
 * Erases an address from inbound deliveries, Idempotency-Keys, and settings of imports and bulk jobs, also if no lead or
 * contact has it, and from the history of these leads and contacts (UUIDs), which had it before.
 */
export async function eraseAddress(db: Db, email: string, ids: string[]): Promise<Erased> {
  const patterns = patternsOf(email);
  await eraseFromBulkJobs(db, [email]);
  await eraseFromSettings(db, patterns.whole);
  const mentions = await eraseMentions(db, ids, patterns);
  await eraseKeys(db, patterns.part);
  const inbound = { leadIds: [], emails: [email], formerEmails: [] };
  return { ...mentions, inbound_deliveries: await eraseInbound(db, inbound) };
}
