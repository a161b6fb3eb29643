import type { Db } from '../db/db.ts';
import { eraseFromBulkJobs } from '../jobs/erasure-queries.ts';
import { toId } from '../values/id.ts';
import { patternsOf } from './address.ts';
import { eraseAuthors, eraseFromJobs, namesOf } from './mention-queries.ts';
import { hashOfEmail, hashOfExternalId } from './person-hash.ts';
import { type Erased, emailsOf, erase, eraseFromImports, eraseInbound, forgetMerged } from './queries.ts';

const nothing: Erased = { events: 0, stored_answers: 0, inbound_deliveries: 0, webhook_responses: 0 };

/**
 * Erases deleted leads, contacts or users (UUIDs) from all records: events, stored responses of idempotent requests, and
 * response bodies of webhook receivers. Leads and contacts are also erased from inbound deliveries and import rows, by
 * current and former email addresses, and users from notes by their names. Ids, types and times stay, so that the records still match the contract.
 */
export async function erasePeople(
  db: Db,
  kind: 'lead' | 'contact' | 'user',
  deleted: readonly { id: string; email: string | null; name?: string; external_id?: string | null }[],
): Promise<Erased> {
  if (deleted.length === 0) return nothing;
  // Those that were merged into them are the same people.
  const all = [
    ...deleted,
    ...(await forgetMerged(
      db,
      deleted.map(({ id }) => id),
    )),
  ];
  const ids = all.map(({ id }) => id);
  // Before the events are erased, which have former addresses.
  const emails = [...(await emailsOf(db, ids)), ...all.flatMap(({ email }) => email ?? [])];
  const people = ids.map((id) => {
    const public_id = toId(kind, id);
    return { id, public_id, email: `${public_id}@erased.invalid` };
  });
  const patterns = patternsOf(emails);
  await eraseFromBulkJobs(db, emails);
  if (kind === 'user') {
    await eraseAuthors(db, [...(await namesOf(db, ids)), ...deleted.flatMap(({ name }) => name ?? [])]);
    await eraseFromJobs(db, patterns.whole);
  }
  const erased = await erase(db, people, patterns.part);
  // A lead may share a user's address.
  if (kind === 'user') return { ...erased, inbound_deliveries: 0 };
  const externalIds = all.flatMap(({ external_id }) => external_id ?? []);
  eraseFromImports(
    db,
    emails.map((email) => ({ email, hash: hashOfEmail(email) })),
    externalIds.map((id) => hashOfExternalId(kind, id)),
  );
  const leadIds = kind === 'lead' ? ids : [];
  return { ...erased, inbound_deliveries: await eraseInbound(db, { leadIds, emails }) };
}
