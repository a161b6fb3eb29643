import type { Db } from '../db/db.ts';
import { toId } from '../db/id.ts';
import { eraseInbound } from '../inbound-hooks/queries.ts';
import { emailsOf, erase } from './queries.ts';

/**
 * Erases a deleted lead or contact (UUID) from all records: events, stored responses of idempotent requests, response
 * bodies of webhook receivers, and inbound deliveries about it, under this or a former email address. Ids, types and times
 * stay, so that the rest keeps the shape that the contract promises.
 */
export async function erasePerson(
  db: Db,
  kind: 'lead' | 'contact',
  { id, email }: { id: string; email: string | null },
): Promise<void> {
  // Before they are erased from the events.
  const emails = [...(await emailsOf(db, id)), ...(email === null ? [] : [email])];
  const publicId = toId(kind, id);
  await erase(db, { id, publicId, email: `${publicId}@erased.invalid` });
  await eraseInbound(db, { leadId: kind === 'lead' ? id : null, emails });
}
