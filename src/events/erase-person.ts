import { toId } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import { eraseInbound } from '../inbound-hooks/queries.ts';
import { emailsOf, erase } from './queries.ts';

/**
 * Takes a lead or contact (uuid) that is deleted out of all that was stored of it: events, stored answers, what webhooks'
 * receivers said, and what came in by hooks about it, under this email address or a former one. Ids, types and times stay,
 * so what is left has the shape that the contract promises.
 */
export async function erasePerson(
  db: Db,
  kind: 'lead' | 'contact',
  { id, email }: { id: string; email: string | null },
): Promise<void> {
  // Before they are taken out of the events.
  const emails = [...(await emailsOf(db, id)), ...(email === null ? [] : [email])];
  const publicId = toId(kind, id);
  await erase(db, { id, publicId, email: `${publicId}@erased.invalid` });
  await eraseInbound(db, { leadId: kind === 'lead' ? id : null, emails });
}
