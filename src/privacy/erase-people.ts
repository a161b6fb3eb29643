import type { Db } from '../db/db.ts';
import { emailsOf } from '../resource/fields.ts';
import { toId } from '../values/id.ts';
import { patternsOf } from './address.ts';
import { eraseFromBulkJobs } from './bulk-job-queries.ts';
import {
  type DeletedPerson,
  type Erased,
  erase,
  eraseInbound,
  forgetMerged,
  knownEmails,
  unusedAmong,
} from './erase-queries.ts';
import { eraseFromSettings, eraseKeys } from './mention-queries.ts';
import { hashOfEmail, hashOfExternalId } from './person-hash.ts';

const nothing: Erased = { events: 0, stored_answers: 0, inbound_deliveries: 0, webhook_responses: 0 };

interface Deleted {
  /** UUID. */
  id: string;
  email: string | null;
}

interface ErasedPeople {
  erased: Erased;
  /** For eraseFromImports(). */
  hashes: string[];
}

/**
 * Erases deleted leads or contacts from all records but rows of imports: events, stored responses of idempotent requests,
 * response bodies of webhook receivers, and inbound deliveries, by current and former email addresses. Ids, types and times
 * stay, so that the records still match the contract. An address that another lead or contact has now is theirs.
 */
export async function erasePeople(
  db: Db,
  kind: 'lead' | 'contact',
  deleted: readonly DeletedPerson[],
): Promise<ErasedPeople> {
  if (deleted.length === 0) return { erased: nothing, hashes: [] };
  const ids = deleted.map(({ id }) => id);
  // Those that were merged into them are the same people.
  const all = [...deleted, ...(await forgetMerged(db, ids))];
  const own = all.flatMap(emailsOf);
  const { erased, unused } = await eraseRecords(db, kind, all, own);
  const current = new Set(own);
  const inbound_deliveries = await eraseInbound(db, {
    leadIds: kind === 'lead' ? all.map(({ id }) => id) : [],
    emails: unused.filter((email) => current.has(email)),
    formerEmails: unused.filter((email) => !current.has(email)),
  });
  const externalIds = all.flatMap(({ external_id }) => external_id ?? []);
  const hashes = [...unused.map(hashOfEmail), ...externalIds.map((id) => hashOfExternalId(kind, id))];
  return { erased: { ...erased, inbound_deliveries }, hashes };
}

/**
 * Erases a deleted user from events, stored responses, response bodies of webhook receivers, Idempotency-Keys and settings of
 * jobs. A lead may share a user's address, so inbound deliveries stay, and so do notes with the same author's name.
 */
export async function eraseUser(db: Db, user: Deleted): Promise<void> {
  const { unused } = await eraseRecords(db, 'user', [user], [user.email ?? []].flat());
  for (const { whole, part } of unused.map(patternsOf)) {
    await eraseFromSettings(db, whole);
    await eraseKeys(db, part);
  }
}

/** Returns the addresses that nobody else has, in lower case. `own` are the current ones. */
async function eraseRecords(
  db: Db,
  kind: 'lead' | 'contact' | 'user',
  deleted: readonly Deleted[],
  own: readonly string[],
) {
  const ids = deleted.map(({ id }) => id);
  // Before the events are erased, which have former addresses.
  const emails = [...(await knownEmails(db, ids)), ...own];
  const unused = await unusedAmong(db, kind, emails);
  await eraseFromBulkJobs(db, unused);
  const people = ids.map((id) => {
    const public_id = toId(kind, id);
    return { id, public_id, email: `${public_id}@erased.invalid` };
  });
  return { unused, erased: await erase(db, people, emails) };
}
